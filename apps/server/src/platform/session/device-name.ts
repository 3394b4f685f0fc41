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

/**
 * Returns the name by which a user recognizes a device, from its `User-Agent`: browser and operating system,
 * e.g. `Chrome · Windows`. If neither is known, the name is the first word of the header, or a dash if the
 * header does not begin with a word.
 */
export function deviceName(userAgent: string): string {
  const names = [BROWSERS, SYSTEMS].flatMap(
    (patterns) => patterns.find(([sign]) => sign.test(userAgent))?.[1] ?? [],
  );
  if (names.length > 0) return names.join(' · ');
  // An unknown client is named by the first word of the header, restricted to harmless characters.
  const firstWord = /^[\w./-]+/.exec(userAgent)?.[0].slice(0, LONGEST_UNKNOWN);
  return firstWord ?? '–';
}
