import type { ReactNode } from 'react';
import { ListBody } from '../list/list-body.tsx';
import { useWords } from '../i18n/words.ts';
import { Checks } from './checks.tsx';
import { LegalDocument } from './legal-document.tsx';
import css from './legal.module.css';
import { PAGES_UPDATED, useLegalTexts, type Check } from './pages.ts';

interface OwnDocumentProps {
  readonly page: 'us' | 'legal';
  /** Where each check is made. */
  readonly checks: Readonly<Record<Check, string>>;
  /** The file with the licenses of what the site is made of. */
  readonly licenses: string;
  readonly head?: ReactNode;
  readonly isOver?: boolean;
}

/** About us, or the legal notice: what nobody has to accept. */
export function OwnDocument({ page, checks, licenses, ...around }: OwnDocumentProps) {
  const t = useWords('about');
  const { data, isPending, error, refetch } = useLegalTexts();
  return (
    <ListBody isLoading={isPending} error={error} onRetry={() => void refetch()} skeletonRows={12}>
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
