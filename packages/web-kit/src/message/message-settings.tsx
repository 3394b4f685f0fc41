import { NOTICE_TOPICS, type NoticeTopic } from '@exchange/wire/message.ts';
import { useState, type ComponentType, type ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Switch } from '../ui/checkbox.tsx';
import { Skeleton } from '../ui/parts.tsx';
import css from './message-settings.module.css';
import {
  useMessageSettings,
  useSetMessageSetting,
  type MessageChannel,
  type MessageSetting,
  useDeleteMessages,
} from './queries.ts';

const WORDS = {
  account: ['topicAccount', 'aboutAccount'],
  risk: ['topicRisk', 'aboutRisk'],
  transfers: ['topicTransfers', 'aboutTransfers'],
  fills: ['topicFills', 'aboutFills'],
  products: ['topicProducts', 'aboutProducts'],
  seconds: ['topicSeconds', 'aboutSeconds'],
  alerts: ['topicAlerts', 'aboutAlerts'],
  income: ['topicIncome', 'aboutIncome'],
  rewards: ['topicRewards', 'aboutRewards'],
} as const satisfies Record<NoticeTopic, readonly [string, string]>;

/** Settings of notifications in the inbox and by mail: one row per topic. */
export function MessageSettings() {
  const settings = useMessageSettings();
  return (
    <ListBody
      isLoading={settings.isPending}
      error={settings.error}
      onRetry={() => void settings.refetch()}
      skeleton={<Topics />}
    >
      <Topics settings={settings.data} />
    </ListBody>
  );
}

/**
 * Table of the message topics, each with a switch for the inbox and one for emails. While the settings are loading,
 * placeholders replace the switches, so that the rows already have their final height.
 */
function Topics({ settings }: { settings?: readonly MessageSetting[] | undefined }) {
  const t = useWords('messages');
  return (
    <>
      <div className={css.head} aria-hidden="true">
        <span>{t('topic')}</span>
        <span>{t('inbox')}</span>
        <span>{t('mail')}</span>
      </div>
      <ul>
        {settings === undefined
          ? NOTICE_TOPICS.map((topic) => (
              <Topic key={topic} topic={topic}>
                <SwitchPlaceholder />
                <SwitchPlaceholder />
              </Topic>
            ))
          : settings.map((setting) => (
              <Topic key={setting.topic} topic={setting.topic}>
                <ChannelSwitch setting={setting} channel="inbox" />
                <ChannelSwitch setting={setting} channel="mail" />
              </Topic>
            ))}
      </ul>
    </>
  );
}

function Topic({ topic, children }: { topic: NoticeTopic; children: ReactNode }) {
  const t = useWords('messages');
  const [name, description] = WORDS[topic];
  return (
    <li className={css.topic}>
      <div>
        <h2>{t(name)}</h2>
        <p>{t(description)}</p>
      </div>
      {children}
    </li>
  );
}

function SwitchPlaceholder() {
  return (
    <span className={css.way}>
      <Skeleton width={36} height={20} radius={10} />
    </span>
  );
}

function ChannelSwitch({ setting, channel }: { setting: MessageSetting; channel: MessageChannel }) {
  const t = useWords('messages');
  const change = useSetMessageSetting();
  const isFixed = (channel === 'inbox' ? setting.inboxFixed : setting.mailFixed) === 1;
  const label = `${t(WORDS[setting.topic][0])}: ${t(channel)}${isFixed ? `, ${t('always')}` : ''}`;
  return (
    <span className={css.way} data-fixed={isFixed || undefined} title={isFixed ? t('always') : undefined}>
      <Switch
        label={<span className="visually-hidden">{label}</span>}
        checked={change.isPending ? change.variables.isOn : setting[channel] === 1}
        disabled={isFixed || change.isPending}
        onChange={(isOn) => change.mutate({ topic: setting.topic, channel, isOn })}
      />
    </span>
  );
}

interface Frame {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  children: ReactNode;
}

/**
 * Button that deletes all read messages after the user has confirmed it. `Frame` is the dialog or bottom sheet of the
 * site.
 */
export function DeleteRead({ Frame, wide }: { Frame: ComponentType<Frame>; wide?: boolean }) {
  const t = useWords('messages');
  const shell = useWords('shell');
  const [isOpen, setOpen] = useState(false);
  const remove = useDeleteMessages();
  const close = (): void => setOpen(false);
  const confirm = (): void =>
    remove.mutate('read', {
      onSuccess: () => {
        close();
        notify.success(t('deletedRead'));
      },
      onError: notify.failure,
    });
  return (
    <>
      <Button look="secondary" size={wide === true ? 'm' : 's'} wide={wide} onClick={() => setOpen(true)}>
        {t('deleteRead')}
      </Button>
      <Frame isOpen={isOpen} onClose={close} title={t('deleteReadTitle')} closeLabel={shell('close')}>
        <p>{t('deleteReadText')}</p>
        <div className={css.actions}>
          <Button look="secondary" size="m" onClick={close}>
            {t('cancel')}
          </Button>
          <Button look="danger" size="m" busy={remove.isPending} onClick={confirm}>
            {t('pressDelete')}
          </Button>
        </div>
      </Frame>
    </>
  );
}
