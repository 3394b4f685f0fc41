/** The key under which the UI kit stores the chosen colour scheme: `light`, `dark` or `auto`. */
export const SCHEME_KEY = 'mantine-color-scheme-value';

/** The page's background in each colour scheme, equal to `--surface-0` in `tokens.css`. Browsers paint their own bars with it. */
export const SURFACES = {
  dark: '#0b0b0e',
  light: '#f5f5f8',
} as const;

/** Sets the colour of the browser's bars to the background of a colour scheme. */
export function setBrowserColour(scheme: keyof typeof SURFACES): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = SURFACES[scheme];
}
