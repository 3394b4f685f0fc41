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
   * True makes the panel as wide as the nearest positioned ancestor of the button; by default the panel is aligned with
   * the end of the button.
   */
  readonly isWide?: boolean | undefined;
  /**
   * True closes the panel when one of its buttons is pressed, as in a menu of commands, except by buttons with
   * `data-stays`, which are pressed several times. By default the panel stays open.
   */
  readonly closesOnChoice?: boolean | undefined;
}

/**
 * A button that opens a panel below it. A press outside of the panel, Escape, the Back button, a focus outside or a
 * navigation closes the panel.
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
    const pressed = (event.target as Element).closest('button');
    if (!closesOnChoice || pressed === null || pressed.dataset['stays'] !== undefined) return;
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
      {/* The panel can have the focus, so that a click on plain text inside it does not move the focus outside,
          which would close the panel. */}
      <div id={panel} className={classes.panel} hidden={!isOpen} tabIndex={-1} onClick={handleClick}>
        {children}
      </div>
    </div>
  );
}
