/** The lists whose changes clients can hear of. */
export const LISTS = ["tools", "prompts", "resources"] as const;

/** Something that clients may want to hear of; published once, heard by sessions and subscriptions alike. */
export type Change =
  /** A list has other entries than before. */
  | { readonly of: (typeof LISTS)[number] }
  /** A resource has other contents than before. */
  | { readonly of: "resource"; readonly uri: string }
  /** A task has come to another state. */
  | { readonly of: "task"; readonly id: string };

/** What listeners of a change name: equal topics are one and the same thing. */
export function topicOf(change: Change): string {
  if (change.of === "resource") return resourceTopic(change.uri);
  return change.of === "task" ? taskTopic(change.id) : change.of;
}

/** The topic of one resource. */
export const resourceTopic = (uri: string): string => `resource ${uri}`;

/** The topic of one task. */
export const taskTopic = (id: string): string => `task ${id}`;
