import { resolvePath, type Row, formatValue, type OperatorWarning } from '@exchange/web-kit/console/calls.ts';
import { operationNamed, proposalEvidence as evidence } from '@exchange/web-kit/console/described.ts';
import type { ReactNode } from 'react';
import { useAnswer } from './latest-answer.ts';
import { useOperatorReturn, useSession } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { shorten, formatNumber } from './texts.ts';
import { Details } from './values.tsx';
import { Warnings } from './warnings.tsx';
import { WORDS } from './words.ts';

interface EvidenceResponse {
  readonly facts: Row;
  readonly context: Row;
  readonly money?: Row;
  readonly isChanged: boolean;
  readonly warnings: readonly OperatorWarning[];
}

interface Props {
  readonly proposal: Row;
  /**
   * Renders additional information, such as pictures and the user, below the record that the proposal is about, once
   * that record has loaded.
   */
  readonly children: (facts: Row) => ReactNode;
}

/**
 * The record that a proposal would change, as the server stores it at present: amount and destination first,
 * then warnings and all other values. Says so if the record has changed since the proposal. Renders nothing
 * if the operator's roles do not permit reading the evidence of proposals.
 */
export function ProposalEvidence({ proposal, children }: Props) {
  const { operations } = useSession();
  const isPermitted = operations.some(({ path }) => path === evidence.path);
  const { body, error, refetch: load } = useAnswer(isPermitted ? resolvePath(evidence.path, proposal) : '');
  useOperatorReturn(() => void load());
  if (!isPermitted) return null;
  if (error !== '') return <Failed error={error} onRetry={() => void load()} />;
  if (body === undefined) return <Skeleton label={WORDS.loading} />;
  const { facts, context, money, isChanged, warnings } = body as unknown as EvidenceResponse;
  const described = operationNamed(formatValue(proposal['operation']))?.evidence;
  return (
    <section className="decided-on" aria-label={WORDS.decidedOn}>
      <h3>{WORDS.decidedOn}</h3>
      {isChanged && (
        <p role="alert" className="error">
          {WORDS.evidenceChanged}
        </p>
      )}
      {money !== undefined && <Money money={money} />}
      <Warnings warnings={warnings} />
      <Details columns={described?.facts ?? {}} row={facts} />
      {Object.keys(context).length > 0 && (
        <>
          <h4>{WORDS.present}</h4>
          <Details columns={described?.context ?? {}} row={context} />
        </>
      )}
      {children(facts)}
    </section>
  );
}

/** The amount that a proposal moves, in large type, with its complete destination. */
function Money({ money }: { readonly money: Row }) {
  const destination = formatValue(money['destination']);
  return (
    <p className="money">
      <strong>
        {formatNumber(formatValue(money['amount']))} {formatValue(money['asset'])}
      </strong>
      {destination !== '' && (
        <>
          {' → '}
          <code title={shorten(destination)}>{destination}</code>
        </>
      )}
    </p>
  );
}
