import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo, useParameter } from '@exchange/web-kit/server/server-info.ts';
import type { LegalPage } from '../paths.ts';

const PARAGRAPHS = {
  us: ['usText1', 'usText2', 'usText3'],
  connect: ['connectText1', 'connectText2'],
  protocol: [
    'protocolText1',
    'protocolText2',
    'protocolText3',
    'protocolText4',
    'protocolText5',
    'protocolText6',
  ],
  legal: ['legalText1', 'legalText2', 'legalText3'],
  policy: ['policyText1', 'policyText2', 'policyText3', 'policyText4'],
} as const;

/** The paragraphs of one of the legal pages. */
export function LegalText({ page }: { readonly page: LegalPage }) {
  const t = useWords('about');
  const isDemo = useIsDemo();
  const email = useParameter('customer_service_email').data;
  return (
    <>
      {PARAGRAPHS[page].map((key) => (
        <p key={key}>{t(key)}</p>
      ))}
      {page === 'connect' && <p>{email ? t('connectMail', { email }) : t('connectNone')}</p>}
      {page === 'legal' && isDemo && <p>{t('legalDemo')}</p>}
    </>
  );
}
