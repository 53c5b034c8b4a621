const LONGEST_TITLE = 1000;
const MOST_ENTRIES = 100;

/** What an HTML file says about itself. */
export class HtmlAbout {
  readonly metadata: Record<string, string> = {};
  title = "";
  language: string | undefined;
  license: string | undefined;

  addTitle(text: string): void {
    if (this.title.length < LONGEST_TITLE) this.title += text;
  }

  /** Takes what the attributes of an element tell. */
  learn(element: string, attributes: Readonly<Partial<Record<string, string>>>): void {
    const { lang, rel, href, content, name, property } = attributes;
    if (element === "html") this.language = lang;
    else if (element === "meta") {
      const key = (name ?? property)?.toLowerCase();
      if (key !== undefined && content !== undefined && Object.keys(this.metadata).length < MOST_ENTRIES)
        this.metadata[key] = content;
    } else if (rel?.toLowerCase() === "license") this.license ??= href;
  }
}
