import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { AddressBook } from '@exchange/web-kit/transfer/address-book.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { SettingFrame } from '../setting/setting-frame.tsx';

export default function AddressScreen() {
  const t = useWords('transfer');
  const info = useUserInfo().data;
  const person = { email: info?.email ?? '', demoPassword: info?.demoTradePassword };
  return (
    <SettingFrame title={t('addressTitle')}>
      <AddressBook person={person} list="table" look="floating" />
    </SettingFrame>
  );
}
