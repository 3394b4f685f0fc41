import type { ReactNode } from 'react';
import { paragraphsOf, useAgreement } from '../form/agreements.ts';
import { ListBody } from '../list/list-body.tsx';
import { LegalDocument } from './legal-document.tsx';

/** The pages whose text people accept with an account, by the agreement's name. */
const AGREED_PAGES = { protocol: 'user', policy: 'privacy' } as const;

interface AgreedDocumentProps {
  readonly page: keyof typeof AGREED_PAGES;
  readonly head?: ReactNode;
  readonly isOver?: boolean;
}

/** What is accepted with an account, in the version that is in force. */
export function AgreedDocument({ page, ...around }: AgreedDocumentProps) {
  const name = AGREED_PAGES[page];
  const { data, isPending, error, refetch } = useAgreement(name);
  return (
    <ListBody isLoading={isPending} error={error} onRetry={() => void refetch()} skeletonRows={12}>
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
