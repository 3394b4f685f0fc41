import {
  Brush,
  Minus,
  MoveUpRight,
  MoveVertical,
  Rows3,
  Slash,
  Tag,
  Trash2,
  TrendingUp,
  Triangle,
  type LucideIcon,
} from 'lucide-react';
import { useWords } from '../i18n/words.ts';
import classes from './drawing-bar.module.css';
import { DRAWING_TOOLS, type DrawingTool } from './drawing-tools.ts';
import type { DrawingControl } from './use-drawings.ts';

const ICONS: Readonly<Record<DrawingTool, LucideIcon>> = {
  segment: TrendingUp,
  rayLine: MoveUpRight,
  straightLine: Slash,
  horizontalStraightLine: Minus,
  verticalStraightLine: MoveVertical,
  parallelStraightLine: Triangle,
  priceLine: Tag,
  fibonacciLine: Rows3,
  brush: Brush,
};

/** The drawing tools at the left edge of the chart; the chosen one stays lit until its drawing is finished. */
export function DrawingBar({ drawings }: { readonly drawings: DrawingControl }) {
  const t = useWords('chart');
  return (
    <div className={classes.bar} role="group" aria-label={t('drawing')}>
      {DRAWING_TOOLS.map((tool) => {
        const Icon = ICONS[tool];
        return (
          <button
            key={tool}
            type="button"
            className={classes.tool}
            aria-label={t(tool)}
            aria-pressed={drawings.active === tool}
            title={t(tool)}
            onClick={() => drawings.start(tool)}
          >
            <Icon size={15} aria-hidden="true" />
          </button>
        );
      })}
      <button
        type="button"
        className={classes.tool}
        aria-label={t('clear')}
        title={t('clear')}
        onClick={drawings.clear}
      >
        <Trash2 size={15} aria-hidden="true" />
      </button>
    </div>
  );
}
