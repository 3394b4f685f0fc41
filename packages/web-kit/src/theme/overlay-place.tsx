import { MantineThemeProvider } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';

/**
 * Returns the theme of overlays in a window other than the page's own. The UI library's focus trap fails
 * there, so it is switched off, and the dialogs focus themselves.
 */
function themeFor(body: HTMLElement) {
  return {
    components: {
      Portal: { defaultProps: { target: body } },
      ModalRoot: { defaultProps: { trapFocus: false } },
    },
  };
}

interface OverlayPlaceProps {
  /** Body of the window in which `children` are displayed; undefined for the page's own window. */
  readonly body: HTMLElement | undefined;
  readonly children: ReactNode;
}

/**
 * Makes dialogs and lists of `children` open in the window in which `children` are displayed. The element tree is the
 * same with and without `body`, so moving between windows keeps the state of `children`.
 */
export function OverlayPlace({ body, children }: OverlayPlaceProps) {
  const theme = useMemo(() => (body === undefined ? {} : themeFor(body)), [body]);
  return <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>;
}
