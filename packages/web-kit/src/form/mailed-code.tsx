import { useEffect, useRef, useState } from 'react';
import { CallRefused } from '../api/client.ts';
import type { WorkObserver } from '../api/work.ts';
import { serverNow } from '../clock.ts';
import { useSecondsLeft } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { failureText, notify } from '../notify.ts';
import { SessionChanged } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import { CodeField } from '../ui/text-field.tsx';
import type { FormPart } from './use-form.ts';

interface MailedCodeProps {
  form: FormPart<'code'>;
  /** Mails the code, and gives the wait for the next in seconds; a visitor's device may have to work for it first. */
  send: (observer: WorkObserver) => Promise<number>;
  /** Whether what the code is sent for is filled in; shows its error where it is not. */
  isReady?: () => boolean;
  /** Where a form asks for more than one: which it is. */
  label?: string | undefined;
}

/** For how long the next code is refused, where that was why this one was. */
function waitOf(error: unknown): number | undefined {
  const seconds = error instanceof CallRefused ? Number(error.data['seconds']) : 0;
  return seconds > 0 ? seconds : undefined;
}

/** The code that confirms a form, and the button that mails it. Why none was mailed stays below until the next try or change. */
export function MailedCode({ form, send, isReady = () => true, label }: MailedCodeProps) {
  const t = useWords('user');
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const signalOfPage = useSignalOfPage();
  const press = async () => {
    setFailure(undefined);
    if (!isReady()) return undefined;
    const signal = signalOfPage();
    try {
      const waitSeconds = await send({ signal, onWork: setWorking });
      notify.success(t('codeSent'));
      return waitSeconds;
    } catch (error) {
      if (signal.aborted || error instanceof SessionChanged) return undefined;
      // Reason: refused (too soon, too many) or not come through; the sentence says which.
      setFailure(failureText(error));
      return waitOf(error);
    }
  };
  return (
    <CodeField
      label={label ?? t('code')}
      placeholder={t('codePlaceholder')}
      value={form.values.code}
      onChange={(code) => {
        setFailure(undefined);
        form.set('code', code);
      }}
      error={form.errorOf('code') ?? failure}
      hint={t('spamHint')}
      resend={
        <CountdownButton
          label={isWorking ? t('codeChecking') : t('sendCode')}
          waiting={(seconds) => t('resendIn', { seconds })}
          onPress={press}
        />
      }
    />
  );
}

/** Gives a signal that is aborted when the form is left. */
function useSignalOfPage(): () => AbortSignal {
  const page = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => page.current?.abort(), []);
  return () => {
    if (page.current === undefined || page.current.signal.aborted) page.current = new AbortController();
    return page.current.signal;
  };
}

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
