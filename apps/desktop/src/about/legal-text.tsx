import { AgreementText } from '@exchange/web-kit/form/agreement-text.tsx';
import { AGREED_PAGES, LEGAL_PARAGRAPHS } from '@exchange/web-kit/i18n/legal-paragraphs.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo, useParameter } from '@exchange/web-kit/server/server-info.ts';
import type { LegalPage } from '../paths.ts';

/** The paragraphs of one of the legal pages. */
export function LegalText({ page }: { readonly page: LegalPage }) {
  const t = useWords('about');
  const isDemo = useIsDemo();
  const email = useParameter('customer_service_email').data;
  if (page === 'protocol' || page === 'policy') return <AgreementText name={AGREED_PAGES[page]} />;
  return (
    <>
      {LEGAL_PARAGRAPHS[page].map((key) => (
        <p key={key}>{t(key)}</p>
      ))}
      {page === 'connect' && <p>{email ? t('connectMail', { email }) : t('connectNone')}</p>}
      {page === 'legal' && isDemo && <p>{t('legalDemo')}</p>}
    </>
  );
}
