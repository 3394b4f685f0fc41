import { declareMessages } from '../../messages/index.ts';

/** The kinds of inbox messages that the invite module sends to inviters, with links, topics and texts. */
export const inviteMessages = declareMessages({
  inviteRewarded: {
    place: 'invitations',
    topic: 'rewards',
    words: {
      'en-US': {
        title: 'Invitation reward received',
        summary: '{{amounts}} from the trading fees of {{day}}.',
        content:
          'Your share of your friends’ trading fees was credited to your spot account.\n\n' +
          'Reward: {{amounts}}\nTrading day: {{day}} (UTC)\nFriends who traded: {{people}}\n\n' +
          'All rewards are listed under Invite friends.',
      },
      'zh-CN': {
        title: '邀请返佣到账',
        summary: '{{day}} 的交易手续费返佣：{{amounts}}。',
        content:
          '您邀请的好友产生的交易手续费返佣已发放至您的现货账户。\n\n' +
          '返佣：{{amounts}}\n交易日：{{day}}（UTC）\n产生交易的好友：{{people}} 人\n\n' +
          '每笔返佣均可在“邀请好友”中查看。',
      },
      'ko-KR': {
        title: '초대 보상 입금',
        summary: '{{day}} 거래 수수료 보상: {{amounts}}.',
        content:
          '초대한 친구가 낸 거래 수수료에 따른 보상이 현물 계좌로 입금되었습니다.\n\n' +
          '보상: {{amounts}}\n거래일: {{day}} (UTC)\n거래한 친구: {{people}}명\n\n' +
          '모든 보상 내역은 친구 초대 화면에서 확인할 수 있습니다.',
      },
      'ja-JP': {
        title: '招待報酬の入金',
        summary: '{{day}}の取引手数料から{{amounts}}を受け取りました。',
        content:
          '招待した友達が支払った取引手数料に応じた報酬が、現物口座に入金されました。\n\n' +
          '報酬：{{amounts}}\n取引日：{{day}}（UTC）\n取引した友達：{{people}}人\n\n' +
          'すべての報酬は「友達招待」で確認できます。',
      },
    },
  },
});
