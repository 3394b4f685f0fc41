/** The sentences of each page about us, by their keys among the words of `about`. What is agreed to comes from the server. */
export const LEGAL_PARAGRAPHS = {
  us: ['usText1', 'usText2', 'usText3'],
  connect: ['connectText1', 'connectText2'],
  legal: ['legalText1', 'legalText2', 'legalText3'],
} as const;

/** Pages whose text people agree to, by the agreement's name. */
export const AGREED_PAGES = { protocol: 'user', policy: 'privacy' } as const;
