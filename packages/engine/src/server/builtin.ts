/** Gives one of Node's modules when it is needed. Not imported, it costs a start nothing, not even the wrapper that Node makes for an import. */
export const builtin = ((id: string) => process.getBuiltinModule(id)) as typeof process.getBuiltinModule;
