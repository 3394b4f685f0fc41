import { ArrowRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { paragraphsOf, useAgreement } from '../form/agreements.ts';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { LegalDocument } from './legal-document.tsx';
import css from './legal.module.css';
import { type Check, PAGES_UPDATED, useLegalTexts, CHECKS, type LegalTexts } from './pages.ts';

interface LegalTextProps {
  readonly page: 'us' | 'protocol' | 'legal' | 'policy';
  /** Who runs the exchange; undefined while it is being fetched, null where it is not known. */
  readonly operator: Operator | null | undefined;
  /** Where on this site everything that can be checked is found. */
  readonly checks: Readonly<Record<Check, string>>;
  readonly licenses: string;
  /** Whether it lies over another page. */
  readonly isOver?: boolean;
}

/** One of the legal texts, below who runs the exchange. */
export function LegalText({ page, operator, checks, licenses, isOver = false }: LegalTextProps) {
  const around = {
    isOver,
    isWaiting: operator === undefined,
    head: operator && <OperatorFacts {...operator} />,
  };
  if (page === 'protocol' || page === 'policy') return <AgreedDocument page={page} {...around} />;
  return <OwnDocument page={page} checks={checks} licenses={licenses} {...around} />;
}

interface OwnDocumentProps {
  readonly page: 'us' | 'legal';
  /** Where each check is made. */
  readonly checks: Readonly<Record<Check, string>>;
  /** The file with the licenses of what the site is made of. */
  readonly licenses: string;
  readonly head?: ReactNode;
  /** Whether the head is still being fetched: the text comes with it, and nothing moves. */
  readonly isWaiting: boolean;
  readonly isOver?: boolean;
}

/** About us, or the legal notice: what nobody has to accept. */
function OwnDocument({ page, checks, licenses, isWaiting, ...around }: OwnDocumentProps) {
  const t = useWords('about');
  const { data, isPending, error, refetch } = useLegalTexts();
  return (
    <ListBody
      isLoading={isPending || isWaiting}
      error={error}
      onRetry={() => void refetch()}
      skeletonRows={12}
    >
      {data === undefined ? null : (
        <LegalDocument
          {...around}
          name={page}
          isShort={page === 'us'}
          paragraphs={data[page]}
          date={page === 'legal' ? PAGES_UPDATED : undefined}
        >
          {page === 'us' ? (
            <Checks texts={data.checks} paths={checks} />
          ) : (
            <p>
              <a className={css.licenses} href={licenses} target="_blank" rel="noreferrer">
                {t('licenses')}
              </a>
            </p>
          )}
        </LegalDocument>
      )}
    </ListBody>
  );
}

interface ChecksProps {
  readonly texts: LegalTexts['checks'];
  /** The page of each. */
  readonly paths: Readonly<Record<Check, string>>;
}

/** What anybody can check, with the way there. */
function Checks({ texts, paths }: ChecksProps) {
  const t = useWords('about');
  const title = useId();
  return (
    <section className={css.checks} aria-labelledby={title}>
      <h2 id={title}>{t('checks')}</h2>
      <ul>
        {CHECKS.map((check) => (
          <li key={check}>
            <Link to={paths[check]}>
              <b>
                {texts[check].title} <ArrowRight size={14} aria-hidden="true" />
              </b>
              <span>{texts[check].text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The pages whose text people accept with an account, by the agreement's name. */
const AGREED_PAGES = { protocol: 'user', policy: 'privacy' } as const;

interface AgreedDocumentProps {
  readonly page: keyof typeof AGREED_PAGES;
  readonly head?: ReactNode;
  readonly isWaiting: boolean;
  readonly isOver?: boolean;
}

/** What is accepted with an account, in the version that is in force. */
function AgreedDocument({ page, isWaiting, ...around }: AgreedDocumentProps) {
  const name = AGREED_PAGES[page];
  const { data, isPending, error, refetch } = useAgreement(name);
  return (
    <ListBody
      isLoading={isPending || isWaiting}
      error={error}
      onRetry={() => void refetch()}
      skeletonRows={12}
    >
      <LegalDocument
        {...around}
        name={name}
        paragraphs={paragraphsOf(data?.text)}
        version={data?.version}
        date={data?.effectiveDate}
      />
    </ListBody>
  );
}

/** Who runs this exchange; what is empty was not named. */
interface Operator {
  readonly isDemo: boolean;
  readonly entity: string;
  readonly address: string;
  readonly governingLaw: string;
  readonly email: string;
}

/** Whom the reader deals with, or that nobody stands behind a demo or has named themselves. */
function OperatorFacts({ isDemo, entity, address, governingLaw, email }: Operator) {
  const t = useWords('about');
  if (isDemo) return <p className={css.operator}>{t('operatorDemo')}</p>;
  const facts = [
    { word: 'operator', value: entity === '' ? t('operatorUnnamed') : entity },
    { word: 'address', value: address },
    { word: 'governingLaw', value: governingLaw },
    { word: 'supportEmail', value: email },
  ] as const;
  return (
    <dl className={css.operator}>
      {facts.map(({ word, value }) =>
        value === '' ? null : (
          <div key={word}>
            <dt>{t(word)}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
