import '@mantine/core/styles/Popover.layer.css';
import { Popover } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { classes } from './class-names.ts';
import { Sheet, type OverlayLook } from './overlay.tsx';
import { PickerList, type PickerListProps } from './picker-list.tsx';
import { useDismiss } from './use-dismiss.ts';
import css from './picker.module.css';

export interface PickerProps extends Omit<PickerListProps, 'onPick' | 'hasFocus'> {
  readonly face: ReactNode;
  /** Text of the selected option for screen readers; omitted when the button's label suffices. */
  readonly faceText?: string;
  readonly onChange: (key: string) => void;
  readonly look: OverlayLook;
  readonly closeLabel: string;
  readonly className?: string | undefined;
  /** Width of the list in pixels; by default the width of the button. */
  readonly width?: number;
}

/**
 * Input for one of many options: a button that opens a list with a search field. Escape closes the list, and the focus
 * returns to the button.
 */
export function Picker(props: PickerProps) {
  const { face, faceText, onChange, look, closeLabel, className, width, ...list } = props;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useDismiss({
    isOpen: isOpen && look === 'floating',
    onDismiss: () => setOpen(false),
    areas: [opener, panel],
    button: opener,
  });
  const pick = (key: string) => {
    setOpen(false);
    onChange(key);
  };
  const button = (
    <button
      ref={opener}
      type="button"
      className={classes(css.button, className)}
      aria-label={faceText === undefined ? list.label : `${list.label}: ${faceText}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    >
      <span className={css.face}>{face}</span>
      <ChevronDown size={18} aria-hidden="true" />
    </button>
  );
  if (look === 'sheet')
    return (
      <>
        {button}
        <Sheet isOpen={isOpen} onClose={() => setOpen(false)} title={list.label} closeLabel={closeLabel}>
          <PickerList {...list} onPick={pick} />
        </Sheet>
      </>
    );
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={width ?? 'target'}
      position={width === undefined ? 'bottom-start' : 'bottom-end'}
      offset={4}
      hideDetached={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: css.popover }}
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown ref={panel}>
        <PickerList {...list} hasFocus onPick={pick} />
      </Popover.Dropdown>
    </Popover>
  );
}
