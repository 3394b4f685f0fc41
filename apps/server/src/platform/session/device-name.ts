const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
const LONGEST_UNKNOWN = 40;

/** What a user recognises a device by, e.g. `Chrome · Windows`, from the `User-Agent` it sent. */
export function deviceName(userAgent: string): string {
  const named = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([sign]) => sign.test(userAgent))?.[1] ?? [],
  );
  if (named.length > 0) return named.join(' · ');
  // Whatever else: the first word it says of itself, without anything that could play tricks on a page.
  const word = /^[\w./-]+/.exec(userAgent)?.[0].slice(0, LONGEST_UNKNOWN);
  return word ?? '–';
}
