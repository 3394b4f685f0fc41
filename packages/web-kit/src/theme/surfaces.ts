/** Storage key under which the UI library stores the chosen colour scheme: `light`, `dark` or `auto`. */
export const SCHEME_KEY = 'mantine-color-scheme-value';

/** Page background by colour scheme, equal to `--surface-0` in `tokens.css`; also the theme colour of the browser. */
export const SURFACES = {
  dark: '#0b0b0e',
  light: '#f5f5f8',
} as const;

/** Sets the theme colour of the browser to the page background of a colour scheme. */
export function setBrowserColour(scheme: keyof typeof SURFACES): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = SURFACES[scheme];
}
