/** Something that clients may want to hear of; published once, heard by sessions and subscriptions alike. */
export interface Change {
  readonly of: "tools";
}
