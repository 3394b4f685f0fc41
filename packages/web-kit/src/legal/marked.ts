/** A heading with what stands below it; before the first heading there is none. */
export interface Section {
  readonly title: string | undefined;
  readonly parts: readonly Part[];
}
export type Part =
  | { readonly is: 'paragraph'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly string[] };

/** Reads marked paragraphs: `# ` begins a heading, `- ` an item of a list, everything else is a paragraph. */
export function sectionsOf(paragraphs: readonly string[]): readonly Section[] {
  const sections: { title: string | undefined; parts: Part[] }[] = [];
  for (const text of paragraphs) {
    const isHeading = text.startsWith('# ');
    if (isHeading || sections.length === 0)
      sections.push({ title: isHeading ? text.slice(2) : undefined, parts: [] });
    if (isHeading) continue;
    const { parts } = sections.at(-1)!;
    const last = parts.at(-1);
    if (!text.startsWith('- ')) parts.push({ is: 'paragraph', text });
    else if (last?.is === 'list')
      parts[parts.length - 1] = { is: 'list', items: [...last.items, text.slice(2)] };
    else parts.push({ is: 'list', items: [text.slice(2)] });
  }
  return sections;
}
