import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { AddressBook } from '@exchange/web-kit/transfer/address-book.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';

export default function TransferScreen() {
  const t = useWords('transfer');
  const info = useUserInfo().data;
  const person = { email: info?.email ?? '', demoPassword: info?.demoTradePassword };
  return (
    <Screen title={t('addressTitle')} parent={paths.my}>
      <AddressBook person={person} list="cards" look="sheet" />
    </Screen>
  );
}
