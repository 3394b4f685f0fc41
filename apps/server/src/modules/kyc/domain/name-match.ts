/** The words of a name in lower case without accents and punctuation, each once. */
export function nameWords(name: string): string[] {
  return [
    ...new Set(
      plainName(name)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== ''),
    ),
  ];
}

/**
 * `joined ` followed by the name as a single word, for names that are written both with and without spaces,
 * such as `王 小明` and `王小明`. Because of the prefix it never equals one of the `nameWords`.
 */
export function joinedName(name: string): string {
  return `joined ${plainName(name).replaceAll(/[^\p{L}\p{N}]+/gu, '')}`;
}

/** Index texts of a name: each of its words, and the whole name as a single word. */
export function nameTexts(name: string): readonly string[] {
  return [...nameWords(name), joinedName(name)];
}

/**
 * The name in lower case and in compatible spelling (half-width instead of full-width characters), without accents and
 * apostrophes.
 */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’‘`´]/g, '');
}
