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
  /**
   * Requests the email code; resolves to the number of seconds until another code may be requested. The device may have
   * to solve a proof of work for the request.
   */
  send: (observer: WorkObserver) => Promise<number>;
  /**
   * Called before the email code is requested: validates the fields to which the code will be bound and shows their
   * errors. Returns whether all are valid.
   */
  isReady?: () => boolean;
  label?: string | undefined;
}

/** Seconds until another email code may be requested; undefined if the error does not state them. */
function waitOf(error: unknown): number | undefined {
  const seconds = error instanceof CallRefused ? Number(error.data['seconds']) : 0;
  return seconds > 0 ? seconds : undefined;
}

/**
 * Input of the email code with a button that requests the code. A failed request is explained below the field until the
 * next press of the button or change of the code.
 */
export function MailedCode({ form, send, isReady = () => true, label }: MailedCodeProps) {
  const t = useWords('user');
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const signalUntilUnmount = useSignalUntilUnmount();
  const press = async () => {
    setFailure(undefined);
    if (!isReady()) return undefined;
    const signal = signalUntilUnmount();
    try {
      const waitSeconds = await send({ signal, onWork: setWorking });
      notify.success(t('codeSent'));
      return waitSeconds;
    } catch (error) {
      if (signal.aborted || error instanceof SessionChanged) return undefined;
      // The text says whether the server refused the request (too early, too many) or no response arrived.
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

/** Returns a function that returns an abort signal; the signal is aborted when the component unmounts. */
function useSignalUntilUnmount(): () => AbortSignal {
  const controller = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  return () => {
    if (controller.current === undefined || controller.current.signal.aborted)
      controller.current = new AbortController();
    return controller.current.signal;
  };
}

interface CountdownButtonProps {
  label: string;
  /** Label of the button while it is disabled, with the remaining seconds. */
  waiting: (seconds: number) => string;
  /**
   * Performs the button's action. Resolves to the number of seconds for which the button is disabled afterwards, or to
   * undefined if the action failed; the button is then enabled at once.
   */
  onPress: () => Promise<number | undefined>;
}

/**
 * Button that is disabled after a press for the number of seconds to which `onPress` resolves. The time is measured by
 * the server clock, so it also passes while the device sleeps.
 */
export function CountdownButton({ label, waiting, onPress }: CountdownButtonProps) {
  const [until, setUntil] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const secondsLeft = useSecondsLeft(until);
  const press = async () => {
    setBusy(true);
    const waitSeconds = await onPress();
    setBusy(false);
    if (waitSeconds !== undefined) setUntil(serverNow() + waitSeconds * 1_000);
  };
  return (
    <Button look="quiet" size="s" busy={isBusy} disabled={secondsLeft > 0} onClick={() => void press()}>
      {secondsLeft > 0 ? waiting(secondsLeft) : label}
    </Button>
  );
}
