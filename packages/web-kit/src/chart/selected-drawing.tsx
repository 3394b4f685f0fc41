import { Trash2 } from 'lucide-react';
import { useWords } from '../i18n/words.ts';
import type { DrawingTool } from './drawing-tools.ts';
import classes from './selected-drawing.module.css';

interface SelectedDrawingProps {
  readonly tool: DrawingTool;
  readonly onRemove: () => void;
}

/** What is selected on the chart, and the button that removes it. */
export function SelectedDrawing({ tool, onRemove }: SelectedDrawingProps) {
  const t = useWords('chart');
  return (
    <div className={classes.bar} role="group" aria-label={t('selectedDrawing')}>
      <span className={classes.name}>{t(tool)}</span>
      <button
        type="button"
        className={classes.remove}
        aria-label={t('removeDrawing')}
        title={t('removeDrawing')}
        onClick={onRemove}
      >
        <Trash2 size={15} aria-hidden="true" />
      </button>
    </div>
  );
}
