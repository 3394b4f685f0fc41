import type { ReactNode } from 'react';
import { Switch } from '../ui/checkbox.tsx';
import { useFillMessages } from './actions.ts';
import type { UserInfo } from './queries.ts';

interface FillMessagesSwitchProps {
  readonly info: Pick<UserInfo, 'notifyFills'>;
  readonly label: ReactNode;
}

/** Whether messages report open orders that fill; kept with the account. */
export function FillMessagesSwitch({ info, label }: FillMessagesSwitchProps) {
  const { isOn, isBusy, set } = useFillMessages(info);
  return <Switch label={label} checked={isOn} disabled={isBusy} onChange={set} />;
}
