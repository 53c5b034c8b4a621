/** Whether the name of a database is the address of a server, and not a file. */
export const isDatabaseUrl = (database: string): boolean => /^postgres(?:ql)?:\/\//.test(database);
