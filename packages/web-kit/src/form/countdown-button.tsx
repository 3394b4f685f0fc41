import { useState } from 'react';
import { serverNow } from '../clock.ts';
import { useSecondsLeft } from '../format/remaining.tsx';
import { Button } from '../ui/button.tsx';

interface CountdownButtonProps {
  label: string;
  /** The text while waiting. */
  waiting: (seconds: number) => string;
  /** Does the deed and gives how many seconds to wait until the next, or undefined when it did not happen. */
  onPress: () => Promise<number | undefined>;
}

/** A button that rests for some seconds after each press, as for sending codes: by the clock, asleep or not. */
export function CountdownButton({ label, waiting, onPress }: CountdownButtonProps) {
  const [until, setUntil] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const left = useSecondsLeft(until);
  const press = async () => {
    setBusy(true);
    const wait = await onPress();
    setBusy(false);
    if (wait !== undefined) setUntil(serverNow() + wait * 1_000);
  };
  return (
    <Button look="quiet" size="s" busy={isBusy} disabled={left > 0} onClick={() => void press()}>
      {left > 0 ? waiting(left) : label}
    </Button>
  );
}
