import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

interface CountdownButtonProps {
  label: string;
  /** The text while waiting. */
  waiting: (seconds: number) => string;
  /** Does the deed and gives how many seconds to wait until the next, or undefined when it did not happen. */
  onPress: () => Promise<number | undefined>;
}

/** A button that rests for some seconds after each press, as for sending codes. */
export function CountdownButton({ label, waiting, onPress }: CountdownButtonProps) {
  const [left, setLeft] = useState(0);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  const press = async () => {
    setBusy(true);
    const wait = await onPress();
    setBusy(false);
    if (wait !== undefined) setLeft(wait);
  };
  return (
    <Button look="quiet" size="s" busy={isBusy} disabled={left > 0} onClick={() => void press()}>
      {left > 0 ? waiting(left) : label}
    </Button>
  );
}
