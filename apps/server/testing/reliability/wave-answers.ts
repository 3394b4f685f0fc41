import type { Answered } from '../calling.ts';
import { REPEATABLE_CALLS, type Intent } from './repeatable-calls.ts';
import type { Answers } from './wave-sender.ts';

const NOT_OPEN = 'l.order_not_open';

/** Everything that is wrong with the answers of a wave, before anybody looks at what was stored. */
export function answerProblems(intents: readonly Intent[], answers: Answers): string[] {
  return intents.flatMap((intent) => {
    const heard = answers.get(intent) ?? [];
    const problem = heard.length === 0 ? 'no answer' : problemOf(intent, heard);
    return problem === undefined ? [] : [`${intent.kind} ${intent.key}: ${problem}`];
  });
}

/** Whether the call has been carried out, by what its caller was told. */
export function isAccepted(intent: Intent, answers: Answers): boolean {
  return (answers.get(intent) ?? []).some(({ code }) => code === 1);
}

function problemOf({ kind }: Intent, heard: readonly Answered<unknown>[]): string | undefined {
  if (!REPEATABLE_CALLS[kind].idempotent) return onceProblem(kind, heard);
  const different = new Set(heard.map(toldBy));
  if (different.size > 1) return `${different.size} answers: ${[...different].join(' | ')}`;
  const { code, errKey, text } = heard[0]!;
  // Whether the order had really ended is seen in what is stored.
  if (code === 1 || (kind === 'amendment' && errKey === NOT_OPEN)) return undefined;
  return `refused: ${text}`;
}

/** Calls without a request id name what they end: one copy does it, and the others find that it has ended. */
function onceProblem(kind: Intent['kind'], heard: readonly Answered<unknown>[]): string | undefined {
  const isCancel = kind === 'cancel';
  const isDone = ({ code, data }: Answered<unknown>) =>
    code === 1 && (isCancel || (data as { count: number }).count === 1);
  const done = heard.filter(isDone).length;
  const strange = heard.filter(
    (answer) => !isDone(answer) && (isCancel ? answer.errKey !== NOT_OPEN : answer.code !== 1),
  );
  if (strange.length > 0) return `was answered ${strange[0]!.text}`;
  return done > 1 ? `was done ${done} times` : undefined;
}

function toldBy({ code, data, errKey, text }: Answered<unknown>): string {
  return code === 1 ? JSON.stringify(data) : (errKey ?? text);
}
