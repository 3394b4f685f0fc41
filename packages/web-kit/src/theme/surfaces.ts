/** Storage key in which the UI kit keeps the chosen colour scheme: `light`, `dark` or `auto`. */
export const SCHEME_KEY = 'mantine-color-scheme-value';

/**
 * Page background of each colour scheme, equal to `--surface-0` in `tokens.css`; used as the browser's theme
 * colour.
 */
export const SURFACES = {
  dark: '#0b0b0e',
  light: '#f5f5f8',
} as const;

/** Sets the browser's theme colour to the background of a colour scheme. */
export function setBrowserColour(scheme: keyof typeof SURFACES): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = SURFACES[scheme];
}
