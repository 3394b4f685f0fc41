import type { ReactNode } from 'react';
import classes from './setting.module.css';

interface SettingRowProps {
  readonly name: string;
  readonly about?: ReactNode;
  readonly action: ReactNode;
}

/** One setting: its name, what it is for, and the way to change it. */
export function SettingRow({ name, about, action }: SettingRowProps) {
  return (
    <div className={classes.row}>
      <div>
        <h3>{name}</h3>
        {about !== undefined && <p>{about}</p>}
      </div>
      {action}
    </div>
  );
}
