import { useCallback, useEffect, useState, type CSSProperties } from 'react';
import {
  defaultLayout,
  forgetLayout,
  rememberedLayout,
  rememberLayout,
  resized,
  type Layout,
  type PanelName,
} from './layout.ts';

const PAGE_MIN_WIDTH = 1_300;
/** Top bar and price strip. */
const ABOVE_PX = 112;

function room(): { width: number; height: number } {
  return {
    width: Math.max(PAGE_MIN_WIDTH, document.documentElement.clientWidth),
    height: Math.max(720, document.documentElement.clientHeight) - ABOVE_PX,
  };
}

/** The panels' sizes on this screen, how to change them, and the CSS variables that draw them. */
export function useLayout() {
  const [layout, setLayout] = useState<Layout>(() => rememberedLayout(room()));

  useEffect(() => {
    const fit = (): void => setLayout(rememberedLayout(room()));
    window.addEventListener('resize', fit);
    return () => window.removeEventListener('resize', fit);
  }, []);

  const resize = useCallback((panel: PanelName, size: number) => {
    setLayout((before) => {
      const after = resized(before, panel, size, room());
      rememberLayout(after);
      return after;
    });
  }, []);

  const reset = useCallback(() => {
    forgetLayout();
    setLayout(defaultLayout(room()));
  }, []);

  const style = {
    '--pairs': `${layout.pairs}px`,
    '--book': `${layout.book}px`,
    '--ticket': `${layout.ticket}px`,
    '--orders': `${layout.orders}px`,
  } as CSSProperties;
  return { layout, resize, reset, style };
}
