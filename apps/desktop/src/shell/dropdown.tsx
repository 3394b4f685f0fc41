import { useDismiss } from '@exchange/web-kit/ui/use-dismiss.ts';
import { useId, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import classes from './dropdown.module.css';

interface DropdownProps {
  readonly label: string;
  readonly face: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /**
   * Makes the dropdown panel as wide as its nearest positioned ancestor instead of aligning it with the end
   * of the button.
   */
  readonly isWide?: boolean | undefined;
  /** Closes the panel when one of its buttons is pressed, as in a menu of commands. */
  readonly closesOnChoice?: boolean | undefined;
}

/**
 * A button that opens a panel below it; a press outside, Escape, Back, a focus change or navigation closes
 * it.
 */
export function Dropdown(props: DropdownProps) {
  const { key } = useLocation();
  return <Opener key={key} {...props} />;
}

function Opener({ label, face, children, className, isWide = false, closesOnChoice = false }: DropdownProps) {
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();

  const handleClick = (event: MouseEvent<HTMLDivElement>): void => {
    if (!closesOnChoice || !(event.target as Element).closest('button')) return;
    setOpen(false);
    button.current?.focus();
  };
  useDismiss({ isOpen, onDismiss: () => setOpen(false), areas: [whole], button });

  return (
    <div ref={whole} className={classes.dropdown} data-wide={isWide || undefined}>
      <button
        ref={button}
        type="button"
        className={className ?? classes.button}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {/* Focusable, so that clicking plain text inside does not count as a blur. */}
      <div id={panel} className={classes.panel} hidden={!isOpen} tabIndex={-1} onClick={handleClick}>
        {children}
      </div>
    </div>
  );
}
