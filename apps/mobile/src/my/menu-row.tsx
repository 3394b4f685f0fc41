import { ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import css from './my.module.css';

interface RowProps {
  Icon?: LucideIcon;
  label: string;
  end?: ReactNode;
}

/** A menu row that links to another screen. */
export function MenuLink({ to, ...row }: RowProps & { to: string }) {
  return (
    <Link to={to} className={css.row}>
      <Content {...row} />
    </Link>
  );
}

/** A menu row that opens something, such as a sheet, on the current screen. */
export function MenuButton({ onPress, ...row }: RowProps & { onPress: () => void }) {
  return (
    <button type="button" className={css.row} onClick={onPress}>
      <Content {...row} />
    </button>
  );
}

function Content({ Icon, label, end }: RowProps) {
  return (
    <>
      {Icon === undefined ? null : (
        <Icon size={20} strokeWidth={1.75} className={css.rowIcon} aria-hidden="true" />
      )}
      <span className={css.rowLabel}>{label}</span>
      <span className={css.rowEnd}>{end}</span>
      <ChevronRight size={18} className={css.rowIcon} aria-hidden="true" />
    </>
  );
}
