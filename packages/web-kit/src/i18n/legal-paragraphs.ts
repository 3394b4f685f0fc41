/** The sentences of each legal page, by their keys among the words of `about`. */
export const LEGAL_PARAGRAPHS = {
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
