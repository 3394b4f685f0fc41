import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { LIMITS, type PanelName } from './layout.ts';
import classes from './resizer.module.css';

const KEY_STEP_PX = 16;

interface ResizerProps {
  readonly panel: PanelName;
  readonly label: string;
  readonly size: number;
  /** Which way the panel grows when the pointer moves right or down. */
  readonly grows: 'forward' | 'backward';
  readonly onResize: (panel: PanelName, size: number) => void;
  readonly onReset: () => void;
}

/** The bar between two panels: drag it, or focus it and use the arrow keys; double click restores the layout. */
export function Resizer({ panel, label, size, grows, onResize, onReset }: ResizerProps) {
  const start = useRef<{ at: number; size: number } | undefined>(undefined);
  const isHorizontal = panel === 'orders';
  const sign = grows === 'forward' ? 1 : -1;

  const press = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { at: isHorizontal ? event.clientY : event.clientX, size };
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (start.current === undefined) return;
    const at = isHorizontal ? event.clientY : event.clientX;
    onResize(panel, start.current.size + sign * (at - start.current.at));
  };
  const release = (): void => {
    start.current = undefined;
  };
  const step = (event: KeyboardEvent): void => {
    const [less, more] = isHorizontal ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const direction = event.key === more ? 1 : event.key === less ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    onResize(panel, size + sign * direction * KEY_STEP_PX);
  };

  return (
    <div
      className={classes.resizer}
      data-horizontal={isHorizontal || undefined}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isHorizontal ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={LIMITS[panel].min}
      aria-valuemax={LIMITS[panel].max}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onDoubleClick={onReset}
      onKeyDown={step}
    />
  );
}
