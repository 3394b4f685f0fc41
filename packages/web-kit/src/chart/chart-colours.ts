/** The theme's colours as the canvas needs them. */
export interface ChartColours {
  readonly up: string;
  readonly down: string;
  readonly accent: string;
  readonly paper: string;
  readonly text: string;
  readonly textSoft: string;
  readonly line: string;
  readonly lineStrong: string;
}

/** Reads the tokens in force at `element`: a canvas cannot follow CSS variables by itself. */
export function coloursAt(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    up: token('--up'),
    down: token('--down'),
    accent: token('--accent'),
    paper: token('--surface-1'),
    text: token('--text-1'),
    textSoft: token('--text-2'),
    line: token('--line'),
    lineStrong: token('--line-strong'),
  };
}
