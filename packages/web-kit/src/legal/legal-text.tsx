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
  /** The company that operates the exchange; undefined while its details are loading, null if they cannot be loaded. */
  readonly operator: Operator | null | undefined;
  /** Paths of the pages of this app on which users can verify the exchange's figures, by topic. */
  readonly checks: Readonly<Record<Check, string>>;
  readonly licenses: string;
  /** True when the text is shown in an overlay instead of a screen. */
  readonly isOver?: boolean;
}

/** A legal text, after the details of the operating company if they could be loaded. */
export function LegalText({ page, operator, checks, licenses, isOver = false }: LegalTextProps) {
  const frame = {
    isOver,
    isWaiting: operator === undefined,
    head: operator && <OperatorFacts {...operator} />,
  };
  if (page === 'protocol' || page === 'policy') return <AgreedDocument page={page} {...frame} />;
  return <OwnDocument page={page} checks={checks} licenses={licenses} {...frame} />;
}

interface OwnDocumentProps {
  readonly page: 'us' | 'legal';
  readonly checks: Readonly<Record<Check, string>>;
  /** Path of the file with the licences of the bundled software. */
  readonly licenses: string;
  readonly head?: ReactNode;
  /** True while the company's details are loading; the text is rendered after that, so that it does not shift. */
  readonly isWaiting: boolean;
  readonly isOver?: boolean;
}

/** The page about the company, or the legal notice; users need not accept either of them. */
function OwnDocument({ page, checks, licenses, isWaiting, ...frame }: OwnDocumentProps) {
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
          {...frame}
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
  readonly paths: Readonly<Record<Check, string>>;
}

/** List of the topics in `CHECKS` that users can verify, each with a link. */
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

/** Names of the agreements whose texts users accept at registration, by page. */
const AGREED_PAGES = { protocol: 'user', policy: 'privacy' } as const;

interface AgreedDocumentProps {
  readonly page: keyof typeof AGREED_PAGES;
  readonly head?: ReactNode;
  readonly isWaiting: boolean;
  readonly isOver?: boolean;
}

/** Shows the current version of an agreement that users accept at registration. */
function AgreedDocument({ page, isWaiting, ...frame }: AgreedDocumentProps) {
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
        {...frame}
        name={name}
        paragraphs={paragraphsOf(data?.text)}
        version={data?.version}
        date={data?.effectiveDate}
      />
    </ListBody>
  );
}

/** Details of the company that operates the exchange; details that are not configured are empty. */
interface Operator {
  readonly isDemo: boolean;
  readonly entity: string;
  readonly address: string;
  readonly governingLaw: string;
  readonly email: string;
}

/**
 * Details of the company that operates the exchange. For a demo, only a note that no company operates it. If
 * the company's name is not configured, a note is shown in its place; any other detail that is not configured
 * is omitted.
 */
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
