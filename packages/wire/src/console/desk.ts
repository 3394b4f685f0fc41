import { BANNER_PICTURES, TOPICS } from '@exchange/core/board.ts';
import { KYC_REASONS, type KycReason } from '@exchange/core/kyc.ts';
import { PAUSE_CAUSES } from '@exchange/core/trading-pause.ts';
import { describeOperation, ROLES, type OperationField, type Role, type TextTemplate } from '../operation.ts';
import {
  AGE,
  RATE,
  FIGURE,
  amountIn,
  COUNT,
  emailOf,
  EVENT_TIME,
  FLAG,
  hidden,
  ID,
  IDENTITY,
  INSTANT,
  labelled,
  optional,
  ORDINAL,
  PAIRS,
  PICTURE,
  status,
  TERM,
  TEXT,
  textFields,
  TEXTS,
  UID,
  USER,
  versionRows,
  WORD,
} from './columns.ts';
import { PAUSE_COLUMNS, PAUSE_FIELDS } from './pauses.ts';
import { CLAIMED_BY } from './queues.ts';

const ANNOUNCEMENTS = '/ops/board/announcements';
const ANNOUNCEMENT = `${ANNOUNCEMENTS}/:code` as const;
const BANNERS = '/ops/board/banners';
const BANNER = `${BANNERS}/:code` as const;
const PERIOD = {
  fromAt: { label: 'Shown from', kind: 'time' },
  untilAt: { label: 'Shown until', kind: 'time', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;
/** Columns with the content of an announcement or a banner. */
const ENTRY_TERMS = {
  isWithdrawn: FLAG,
  fromAt: INSTANT,
  untilAt: optional(INSTANT),
  title: TEXTS,
  content: TEXTS,
  topic: optional(TERM),
  picture: optional(WORD),
  link: optional(TEXT),
} as const;
const ENTRY_COLUMNS = {
  code: TEXT,
  version: ORDINAL,
  isShown: FLAG,
  position: ORDINAL,
  ...ENTRY_TERMS,
} as const;
const ENTRY_EVIDENCE = {
  facts: {
    code: optional(TEXT),
    kind: TERM,
    versionNow: ORDINAL,
    title: TEXTS,
    fromAt: INSTANT,
    untilAt: optional(INSTANT),
    link: optional(TEXT),
  },
} as const;
const ANNOUNCEMENT_FIELDS = {
  topic: { label: 'Topic', kind: 'choice', choices: TOPICS },
  ...textFields('title', 'Title', 'text'),
  ...textFields('content', 'Text', 'longText'),
  ...PERIOD,
} as const;
const BANNER_FIELDS = {
  position: { label: 'Place in the order', kind: 'whole' },
  picture: { label: 'Artwork', kind: 'choice', choices: BANNER_PICTURES },
  link: {
    label: 'Leads to (an address of this site, e.g. /finance/list)',
    kind: 'text',
    isOptional: true,
  },
  ...textFields('title', 'Title', 'text'),
  ...textFields('content', 'Text', 'longText'),
  ...PERIOD,
} as const;

export const announcements = describeOperation({
  method: 'GET',
  path: ANNOUNCEMENTS,
  name: 'Announcements',
  summary: 'Announcements as their newest versions say, the latest first.',
  roles: ROLES,
  rows: {
    in: 'entries',
    key: ['code'],
    title: ['code', 'topic'],
    shown: ['code', 'title', 'isShown', 'fromAt', 'untilAt', 'version'],
    columns: ENTRY_COLUMNS,
  },
});

export const banners = describeOperation({
  method: 'GET',
  path: BANNERS,
  name: 'Banners',
  summary: 'Banners of both home screens, the latest first.',
  roles: ROLES,
  rows: {
    in: 'entries',
    key: ['code'],
    title: ['code'],
    shown: ['code', 'title', 'position', 'isShown', 'fromAt', 'untilAt', 'version'],
    columns: ENTRY_COLUMNS,
  },
});

export const announcementVersions = describeOperation({
  method: 'GET',
  path: `${ANNOUNCEMENT}/versions`,
  name: 'Versions',
  summary: 'The versions of an announcement, newest first.',
  roles: ROLES,
  concerns: [ANNOUNCEMENTS],
  versionsOf: ANNOUNCEMENT,
  fields: ANNOUNCEMENT_FIELDS,
  rows: versionRows(ENTRY_TERMS),
});

export const bannerVersions = describeOperation({
  method: 'GET',
  path: `${BANNER}/versions`,
  name: 'Versions',
  summary: 'The versions of a banner, newest first.',
  roles: ROLES,
  concerns: [BANNERS],
  versionsOf: BANNER,
  fields: BANNER_FIELDS,
  rows: versionRows({ ...ENTRY_TERMS, position: ORDINAL }),
});

export const boardHistory = describeOperation({
  method: 'GET',
  path: '/ops/board/history',
  name: 'History',
  summary: 'Every version with who made it and why, newest first.',
  roles: ROLES,
  rows: {
    in: 'versions',
    key: ['code', 'version'],
    title: ['code'],
    shown: ['at', 'code', 'version', 'by', 'reason', 'title'],
    columns: {
      code: TEXT,
      version: ORDINAL,
      at: EVENT_TIME,
      by: TEXT,
      reason: TEXT,
      ...ENTRY_TERMS,
    },
  },
});

export const publishAnnouncement = describeOperation({
  method: 'POST',
  path: ANNOUNCEMENT,
  name: 'Publish an announcement',
  summary: 'Publishes an announcement, or its next version.',
  roles: ['product'],
  concerns: [ANNOUNCEMENTS],
  creates: { name: 'New announcement' },
  isVersioned: true,
  isPreviewed: true,
  fields: ANNOUNCEMENT_FIELDS,
  evidence: ENTRY_EVIDENCE,
});

export const publishBanner = describeOperation({
  method: 'POST',
  path: BANNER,
  name: 'Publish a banner',
  summary: 'Publishes a banner of both home screens, or its next version.',
  roles: ['product'],
  concerns: [BANNERS],
  creates: { name: 'New banner' },
  isVersioned: true,
  isPreviewed: true,
  fields: BANNER_FIELDS,
  evidence: ENTRY_EVIDENCE,
});

export const withdrawEntry = describeOperation({
  method: 'POST',
  path: '/ops/board/withdraw/:code',
  name: 'Take down',
  summary: 'Takes an announcement or a banner down at once.',
  roles: ['product', 'support', 'approver'],
  concerns: [ANNOUNCEMENTS, BANNERS],
  appliesWhere: [{ column: 'isWithdrawn', is: [false] }],
});

const SUBMISSIONS = '/ops/kyc/submissions';
const REVIEWERS: readonly Role[] = ['reviewer'];
const REASONS = Object.keys(KYC_REASONS) as KycReason[];

export const submissions = describeOperation({
  method: 'GET',
  path: SUBMISSIONS,
  name: 'Submissions',
  isQueue: true,
  summary: 'Identities that wait for a review, that which waits longest first.',
  roles: REVIEWERS,
  rows: {
    in: 'submissions',
    key: ['id'],
    title: ['uid', 'country'],
    since: 'submittedAt',
    shown: [AGE, 'uid', 'country', 'sameDocument', 'similarDocuments', 'earlier', 'sameSide', 'claimedBy'],
    columns: {
      owner: USER,
      uid: UID,
      country: TEXT,
      submittedAt: INSTANT,
      earlier: COUNT,
      sameDocument: COUNT,
      similarDocuments: COUNT,
      sameSide: FLAG,
      claimedBy: CLAIMED_BY,
      waitingMinutes: hidden(COUNT),
      id: ID,
    },
  },
});

export const submission = describeOperation({
  method: 'GET',
  path: `${SUBMISSIONS}/:id`,
  name: 'Show documents',
  summary:
    'Name, number and one-time links to the pictures of one submission. Every look is written down with your name.',
  roles: REVIEWERS,
  concerns: [SUBMISSIONS],
  rows: {
    in: 'submission',
    key: ['id'],
    columns: {
      country: TEXT,
      status: IDENTITY,
      submittedAt: INSTANT,
      sameSide: FLAG,
      documentTaken: FLAG,
      name: TEXT,
      idCard: TEXT,
      front: PICTURE,
      back: PICTURE,
      id: ID,
    },
  },
});

export const similarSubmissions = describeOperation({
  method: 'GET',
  path: `${SUBMISSIONS}/:id/similar`,
  name: 'Show similar documents',
  summary:
    'Other accounts with the same document, the same number in another country, or one that nearly matches. Compare the pictures before you decide.',
  roles: REVIEWERS,
  concerns: [SUBMISSIONS],
  rows: {
    in: 'similar',
    key: ['user', 'submittedAt'],
    shown: ['uid', 'match', 'country', 'document', 'holder', 'status', 'submittedAt'],
    columns: {
      user: USER,
      uid: UID,
      match: WORD,
      country: TEXT,
      document: TEXT,
      holder: TEXT,
      status: IDENTITY,
      submittedAt: INSTANT,
    },
  },
});

export const kycPicture = describeOperation({
  method: 'GET',
  path: '/ops/kyc/evidence/:token',
  name: 'Picture',
  summary: 'A picture behind its one-time link, with your name and the time in it.',
  roles: REVIEWERS,
  isPicture: true,
});

export const kycLooks = describeOperation({
  method: 'GET',
  path: '/ops/kyc/looks',
  name: 'Looks',
  summary: 'Who has looked at whose documents, newest first.',
  roles: ['auditor'],
  rows: {
    in: 'looks',
    key: ['submission', 'what', 'operator', 'at'],
    shown: ['submission', 'what', 'operator', 'at'],
    columns: {
      submission: ID,
      what: WORD,
      operator: TEXT,
      at: EVENT_TIME,
    },
  },
});

export const verifyIdentity = describeOperation({
  method: 'POST',
  path: `${SUBMISSIONS}/:id/approve`,
  name: 'Approve',
  summary: 'Verifies the identity; that is final.',
  roles: REVIEWERS,
  isRoutine: true,
  concerns: [SUBMISSIONS],
  emphasis: 'main',
  key: 'a',
  templates: ['Name, number and pictures agree.', 'Similar documents compared: different people.'],
});

export const rejectIdentity = describeOperation({
  method: 'POST',
  path: `${SUBMISSIONS}/:id/reject`,
  name: 'Reject',
  summary: 'Rejects the submission; its owner reads why and may submit again.',
  roles: REVIEWERS,
  isRoutine: true,
  concerns: [SUBMISSIONS],
  emphasis: 'danger',
  key: 'r',
  templates: ['The picture cannot be read.', 'Name or number differs from the document.'],
  fields: {
    cause: {
      label: 'Why (owners read of sanctions and risk as a review)',
      kind: 'choice',
      choices: REASONS,
    },
    alsoCause: {
      label: 'Second reason',
      kind: 'choice',
      choices: REASONS,
      isOptional: true,
    },
    note: { label: 'Note that the owner reads', kind: 'longText', isOptional: true },
  },
});

const REQUESTS = '/ops/support/requests';
const SUPPORTERS: readonly Role[] = ['support'];

const DECIDED = '/ops/support/decided';
const REQUEST_COLUMNS = {
  number: ORDINAL,
  owner: optional(USER),
  uid: UID,
  email: emailOf('owner'),
  locale: TEXT,
  topic: TERM,
  about: optional(WORD),
  aboutId: optional(ID),
  content: labelled('Last message of the customer', TEXT),
  status: status({ answered: 'good', waiting: 'waits' }),
  messages: COUNT,
  notes: COUNT,
  createdAt: INSTANT,
  waitingSince: INSTANT,
  decidedAt: optional(INSTANT),
  waitingMinutes: hidden(COUNT),
  id: ID,
} as const;

export const supportRequests = describeOperation({
  method: 'GET',
  path: REQUESTS,
  name: 'Requests',
  isQueue: true,
  summary: 'What people have written to customer service, that which waits longest first.',
  roles: SUPPORTERS,
  rows: {
    in: 'requests',
    key: ['id'],
    title: ['number', 'uid', 'topic'],
    since: 'waitingSince',
    shown: [AGE, 'number', 'topic', 'about', 'email', 'content', 'messages', 'claimedBy'],
    columns: { claimedBy: CLAIMED_BY, ...REQUEST_COLUMNS },
  },
});

export const decidedRequests = describeOperation({
  method: 'GET',
  path: DECIDED,
  name: 'Answered and closed',
  summary: 'Requests that were answered or closed, the latest first.',
  roles: SUPPORTERS,
  rows: {
    in: 'requests',
    key: ['id'],
    title: ['number', 'uid', 'topic'],
    shown: ['decidedAt', 'number', 'status', 'topic', 'about', 'email', 'content', 'messages'],
    columns: REQUEST_COLUMNS,
  },
});

export const supportThread = describeOperation({
  method: 'GET',
  path: `${REQUESTS}/:id/thread`,
  name: 'Show the conversation',
  summary: 'Everything that was written about a request, oldest first, with the notes of operators.',
  roles: SUPPORTERS,
  concerns: [REQUESTS, DECIDED],
  rows: {
    in: 'messages',
    key: ['number'],
    shown: ['at', 'author', 'content', 'by'],
    columns: {
      at: EVENT_TIME,
      author: WORD,
      content: TEXT,
      by: optional(TEXT),
      number: ORDINAL,
    },
  },
});

/** Templates of answers to customers, each in every language. No template mentions why something is being reviewed. */
const ANSWERS: readonly TextTemplate[] = [
  {
    name: 'Received, being checked',
    text: {
      'en-US': 'Thank you for your message. We are looking into it and will reply within 24 hours.',
      'zh-CN': '您好，您反馈的问题我们已收到，正在核实，将在 24 小时内回复您。',
      'ko-KR': '문의해 주셔서 감사합니다. 내용을 확인하고 있으며, 24시간 이내에 답변드리겠습니다.',
      'ja-JP': 'お問い合わせありがとうございます。内容を確認しておりますので、24時間以内にご返信いたします。',
    },
  },
  {
    name: 'Transfer: details needed',
    text: {
      'en-US':
        'To find your transfer, please send us its transaction ID (TxID), the coin, the network and the amount. We never ask for your password or verification codes.',
      'zh-CN': '为便于查找该笔转账，请提供交易哈希（TxID）、币种、网络及数量。我们不会向您索要密码或验证码。',
      'ko-KR':
        '해당 거래를 확인할 수 있도록 TxID, 코인, 네트워크, 수량을 알려 주세요. 비밀번호나 인증 코드는 절대 요청하지 않습니다.',
      'ja-JP':
        '送金を確認するため、TxID、通貨、ネットワーク、数量をお知らせください。パスワードや認証コードをお尋ねすることはありません。',
    },
  },
  {
    name: 'Deposit waits for confirmations',
    text: {
      'en-US':
        'Your deposit has been seen on the network and is waiting for confirmations. It will be credited automatically; its progress is shown in your deposit history.',
      'zh-CN': '您的充币已在链上检测到，正在等待区块确认，确认完成后将自动入账。进度可在充币记录中查看。',
      'ko-KR':
        '입금이 네트워크에서 확인되었으며 블록 컨펌을 기다리고 있습니다. 컨펌이 완료되면 자동으로 반영되며, 진행 상황은 입금 내역에서 확인하실 수 있습니다.',
      'ja-JP':
        'ご入金はネットワーク上で検出されており、承認待ちです。承認が完了すると自動的に反映されます。進捗は入金履歴でご確認いただけます。',
    },
  },
  {
    name: 'Withdrawal is being processed',
    text: {
      'en-US':
        'Your withdrawal is being processed. Its status and transaction ID are shown in your withdrawal history as soon as it has been sent.',
      'zh-CN': '您的提币正在处理中。发出后，可在提币记录中查看状态和交易哈希（TxID）。',
      'ko-KR': '출금을 처리하고 있습니다. 전송이 완료되면 출금 내역에서 상태와 TxID를 확인하실 수 있습니다.',
      'ja-JP': '出金は現在処理中です。送金後、出金履歴でステータスとTxIDをご確認いただけます。',
    },
  },
  {
    name: 'Identity is being reviewed',
    text: {
      'en-US':
        'Your identity verification is being reviewed. You will be notified of the result within 24 hours.',
      'zh-CN': '您的身份认证正在审核中，结果将在 24 小时内通知您。',
      'ko-KR': '본인 인증을 심사하고 있습니다. 결과는 24시간 이내에 알려 드립니다.',
      'ja-JP': '本人確認の審査中です。結果は24時間以内にお知らせいたします。',
    },
  },
];

export const answerRequest = describeOperation({
  method: 'POST',
  path: `${REQUESTS}/:id/answer`,
  name: 'Answer',
  summary: 'Answers a request by email, and in the inbox of an account.',
  roles: SUPPORTERS,
  concerns: [REQUESTS],
  emphasis: 'main',
  key: 'a',
  withoutCode: 'It reaches one person, who has asked for it.',
  fields: {
    answer: {
      label: 'Answer',
      kind: 'longText',
      templates: ANSWERS,
      templatesIn: 'locale',
    },
  },
});

export const followUpRequest = describeOperation({
  method: 'POST',
  path: `${DECIDED}/:id/answer`,
  name: 'Write again',
  summary: 'Writes to the customer about a request that was answered or closed; they can reply.',
  roles: SUPPORTERS,
  concerns: [DECIDED],
  emphasis: 'main',
  key: 'a',
  withoutCode: 'It reaches one person, who has asked for it.',
  fields: {
    answer: {
      label: 'Message',
      kind: 'longText',
      templates: ANSWERS,
      templatesIn: 'locale',
    },
  },
});

export const noteRequest = describeOperation({
  method: 'POST',
  path: `${REQUESTS}/:id/note`,
  name: 'Add a note',
  summary: 'Adds a note to the conversation; customers never see it.',
  roles: SUPPORTERS,
  concerns: [REQUESTS, DECIDED],
  sharesWork: true,
  withoutCode: 'Only operators read it.',
  reasonLabel: 'Note (for operators only)',
});

export const closeRequest = describeOperation({
  method: 'POST',
  path: `${REQUESTS}/:id/close`,
  name: 'Close without an answer',
  summary: 'Closes a request that needs no further answer; nobody is told.',
  roles: SUPPORTERS,
  takesSeveral: true,
  concerns: [REQUESTS, DECIDED],
  appliesWhere: [{ column: 'status', is: ['waiting', 'answered'] }],
  emphasis: 'danger',
  withoutCode: 'Nothing moves by it, and whoever wrote may write again.',
});

const MARKS = '/ops/invite/marks';

export const inviteMarks = describeOperation({
  method: 'GET',
  path: MARKS,
  name: 'Marks',
  summary:
    'Invited people who may be their inviter: why the pair is marked, and the rewards that are held for it, newest first.',
  roles: ['finance', 'approver', 'support', 'auditor'],
  fields: { before: { label: 'Before', kind: 'text', isOptional: true } },
  rows: {
    in: 'marks',
    key: ['owner'],
    columns: {
      owner: USER,
      inviter: USER,
      reasons: TEXT,
      isHeld: FLAG,
      held: TEXT,
      markedAt: INSTANT,
    },
  },
});

export const releaseRewards = describeOperation({
  method: 'POST',
  path: `${MARKS}/:owner/release`,
  name: 'Release',
  summary:
    'Releases the rewards that are held for a pair, after looking at it: the next payment pays both. Another reason, found later, holds again.',
  roles: ['finance'],
  concerns: [MARKS],
  appliesWhere: [{ column: 'isHeld', is: [true] }],
  evidence: {
    facts: {
      owner: USER,
      inviter: USER,
      reasons: TEXT,
    },
    context: { held: TEXT },
  },
});

const SOURCES = '/ops/sources';
const SOURCE_STATE = status({ on: 'good', off: 'bad' });
const SOURCE_EVIDENCE = {
  facts: {
    source: TEXT,
    stateNow: SOURCE_STATE,
    switchedBy: optional(TEXT),
    switchedBecause: optional(TEXT),
    countingWithoutIt: COUNT,
  },
} as const;
/** Minutes after which switching a price source on or off takes effect. */
export const SOURCE_WAIT_MINUTES = 30;

export const sources = describeOperation({
  method: 'GET',
  path: SOURCES,
  name: 'Sources',
  summary: 'Sources of the index, which of them count, and who switched one.',
  roles: ROLES,
  rows: {
    in: 'sources',
    key: ['source'],
    title: ['source'],
    columns: {
      source: TEXT,
      state: SOURCE_STATE,
      inForceAt: optional(INSTANT),
      at: optional(EVENT_TIME),
      by: optional(TEXT),
      reason: optional(TEXT),
      note: optional(TEXT),
    },
  },
});

const PRICE_COLUMNS = {
  symbol: PAIRS,
  source: TEXT,
  state: status({
    counts: 'good',
    far: 'waits',
    stale: 'bad',
    silent: 'bad',
    off: 'bad',
  }),
  because: labelled('Why', TEXT),
  price: optional(FIGURE),
  ageMs: optional(labelled('Age, ms', COUNT)),
  index: optional(FIGURE),
  deviation: optional(labelled('From index', RATE)),
  at: optional(labelled('Quoted at', EVENT_TIME)),
} as const;

export const sourcePrices = describeOperation({
  method: 'GET',
  path: `${SOURCES}/prices`,
  name: 'Prices',
  summary:
    'The newest price of every source of every pair with its age and distance from the index, whether it counts, and why not.',
  roles: ROLES,
  fields: {
    symbol: { label: 'Pair', kind: 'text', isOptional: true },
    state: {
      label: 'State',
      kind: 'choice',
      choices: ['counts', 'far', 'stale', 'silent', 'off'],
      isOptional: true,
    },
  },
  rows: {
    in: 'prices',
    key: ['symbol', 'source'],
    title: ['symbol', 'source'],
    shown: ['symbol', 'source', 'state', 'price', 'ageMs', 'index', 'deviation', 'because'],
    empty: 'No source has such a price.',
    columns: PRICE_COLUMNS,
  },
});

export const switchSourceOff = describeOperation({
  method: 'POST',
  path: `${SOURCES}/:source/off`,
  name: 'Switch off',
  summary: `Leaves a source out of the index, with a note to everybody, once every position that is open now has ended: in ${SOURCE_WAIT_MINUTES} minutes. Needs a second person where fewer than three would be left.`,
  roles: ['product', 'approver'],
  concerns: [SOURCES],
  appliesWhere: [{ column: 'state', is: ['on'] }],
  emphasis: 'danger',
  fields: textFields('note', 'Public note', 'longText'),
  evidence: SOURCE_EVIDENCE,
});

export const switchSourceOn = describeOperation({
  method: 'POST',
  path: `${SOURCES}/:source/on`,
  name: 'Switch on',
  summary: `Lets a source count again, in ${SOURCE_WAIT_MINUTES} minutes. Needs a second person.`,
  roles: ['product', 'approver'],
  concerns: [SOURCES],
  appliesWhere: [{ column: 'state', is: ['off'] }],
  evidence: SOURCE_EVIDENCE,
});

const PAIR_LIST = '/ops/pairs';
const PAIR_STATUS = status({ open: 'good', cancelOnly: 'waits', closed: 'bad' });

export const pairs = describeOperation({
  method: 'GET',
  path: PAIR_LIST,
  name: 'Pairs',
  summary:
    'Pairs with price, index, spread, depth, fees, limits and status. The depth is what is bid and offered within 1 % of the middle.',
  roles: ROLES,
  rows: {
    in: 'pairs',
    key: ['symbol'],
    title: ['symbol'],
    shown: [
      'symbol',
      'status',
      'haltedCoin',
      'publicCause',
      'newsAt',
      'price',
      'index',
      'distance',
      'spread',
      'bids',
      'asks',
      'makerFee',
      'takerFee',
      'priceBand',
    ],
    columns: {
      symbol: PAIRS,
      status: PAIR_STATUS,
      haltedCoin: optional(labelled('Halted coin', TEXT)),
      price: optional(labelled('Last price', FIGURE)),
      index: optional(labelled('Index price', FIGURE)),
      distance: optional(labelled('From index', RATE)),
      spread: optional(RATE),
      quote: TEXT,
      bids: labelled('Bid within 1 %', amountIn('quote')),
      asks: labelled('Offered within 1 %', amountIn('quote')),
      makerFee: labelled('Maker', RATE),
      takerFee: labelled('Taker', RATE),
      priceBand: labelled('Band around index', RATE),
      marketGuard: labelled('Guard of market orders', RATE),
      tickSize: labelled('Price step', FIGURE),
      stepSize: labelled('Amount step', FIGURE),
      minAmount: labelled('Smallest amount', FIGURE),
      maxAmount: labelled('Greatest amount', FIGURE),
      minTotal: labelled('Smallest total', FIGURE),
      openOrders: labelled('Most open orders', COUNT),
      stopOrders: labelled('Most waiting stops', COUNT),
      source: labelled('Liquidity', WORD),
      since: optional(INSTANT),
      by: optional(TEXT),
      reason: optional(TEXT),
      ...PAUSE_COLUMNS,
    },
  },
});

export const setPairStatus = describeOperation({
  method: 'POST',
  path: `${PAIR_LIST}/:symbol/status`,
  name: 'Change status',
  summary:
    'Opens, halts or closes a pair. Users read the public reason of a halt at once. Opening ends it and needs a second person.',
  roles: ['product', 'finance', 'approver'],
  concerns: [PAIR_LIST],
  fields: {
    status: {
      label: 'Status',
      kind: 'choice',
      choices: ['open', 'cancelOnly', 'closed'],
      startsEmpty: true,
    },
    ...PAUSE_FIELDS,
    publicCause: {
      label: 'Public reason (users read it; not for an opening)',
      kind: 'choice',
      choices: PAUSE_CAUSES,
      isOptional: true,
    },
  },
  canStartLater: true,
  isPreviewed: true,
  evidence: {
    facts: {
      symbol: PAIRS,
      statusNow: PAIR_STATUS,
      statusNext: PAIR_STATUS,
      setBy: optional(TEXT),
      setBecause: optional(TEXT),
    },
  },
});
