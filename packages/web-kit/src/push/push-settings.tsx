import { PUSH_KINDS, type PushKind } from '@exchange/core/push.ts';
import { pushDevices } from '@exchange/wire/push.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { formatTime } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { Button } from '../ui/button.tsx';
import { Switch } from '../ui/checkbox.tsx';
import { TextField } from '../ui/text-field.tsx';
import {
  ALL_KINDS,
  changeDevice,
  currentDeviceId,
  preferencesOf,
  pushSupport,
  removeDevice,
  subscribeDevice,
  type PushDevice,
  type PushPreferences,
} from './push-device.ts';
import { DEVICES, refetchDevices } from './device-list.ts';
import { minuteOfText, textOfMinute } from './quiet-times.ts';
import type { PushSite } from './push-site.ts';
import css from './push-settings.module.css';

const DEFAULT_QUIET = { from: 22 * 60, to: 7 * 60 } as const;

function useDevices() {
  return useRead({
    queryKey: DEVICES.use(),
    queryFn: ({ signal }) => call(pushDevices, {}, { signal }),
  });
}

/**
 * Settings of pushes: for this device, a button that turns pushes on, or the kinds of messages and the quiet hours; and
 * the list of the user's other devices.
 */
export function PushSettings({ site }: { readonly site: PushSite }) {
  const t = useWords('push');
  const devices = useDevices();
  const userId = useSession(({ session }) => session?.userId) ?? '';
  const currentId = currentDeviceId(site, userId);
  const current = devices.data?.list.find(({ id }) => id === currentId);
  const others = devices.data?.list.filter(({ id }) => id !== current?.id) ?? [];
  return (
    <section className={css.push} aria-labelledby="push-title">
      <h2 id="push-title">{t('title')}</h2>
      <p className={css.about}>{t('about')}</p>
      <ListBody
        isLoading={devices.isPending}
        error={devices.error}
        onRetry={() => void devices.refetch()}
        skeletonRows={2}
      >
        {current === undefined ? <TurnOn site={site} /> : <ThisDevice site={site} device={current} />}
        {others.length === 0 ? null : <OtherDevices site={site} devices={others} />}
        <p className={css.note}>{t('most', { limit: devices.data?.limit ?? 0 })}</p>
      </ListBody>
    </section>
  );
}

/** Explains pushes, with a button after which the browser asks for permission; if pushes are impossible, says why. */
function TurnOn({ site }: { readonly site: PushSite }) {
  const t = useWords('push');
  const userId = useSession(({ session }) => session?.userId) ?? '';
  const [support, setSupport] = useState(pushSupport);
  const subscribe = useMutation({
    mutationFn: () =>
      subscribeDevice(site, userId, ALL_KINDS, { title: t('generalTitle'), body: t('generalText') }),
    onSuccess: (device) => {
      setSupport(pushSupport());
      if (device === undefined) notify.warning(t('denied'));
      else notify.success(t('turnedOn'));
    },
    onError: (error) => {
      // If the browser's push service fails, the browser throws a `DOMException`. Its message is technical, so a
      // general text is shown instead.
      if (error instanceof DOMException) notify.warning(t('failed'));
      else notify.failure(error);
    },
    onSettled: refetchDevices,
  });
  if (support !== 'ready') return <p className={css.state}>{t(support)}</p>;
  return (
    <>
      <Button size="m" busy={subscribe.isPending} onClick={() => subscribe.mutate()}>
        {t('turnOn')}
      </Button>
      <p className={css.note}>{t('asks')}</p>
    </>
  );
}

function ThisDevice({ site, device }: { readonly site: PushSite; readonly device: PushDevice }) {
  const t = useWords('push');
  const remove = useRemoveDevice(site, t('turnedOff'));
  const userId = useSession(({ session }) => session?.userId) ?? '';
  const change = useMutation({
    mutationFn: (preferences: PushPreferences) => changeDevice(site, userId, device, preferences),
    onError: notify.failure,
    onSettled: refetchDevices,
  });
  const saved = preferencesOf(device);
  const shown = change.isPending ? change.variables : saved;
  const toggle = (kind: PushKind, isOn: boolean) =>
    change.mutate({
      kinds: PUSH_KINDS.filter((other) => (other === kind ? isOn : saved.kinds.includes(other))),
      quiet: saved.quiet,
    });
  return (
    <>
      <h3>
        {t('thisDevice')}: {device.name}
      </h3>
      <fieldset className={css.kinds} disabled={change.isPending}>
        <legend>{t('kinds')}</legend>
        {PUSH_KINDS.map((kind) => (
          <Switch
            key={kind}
            label={t(kind)}
            checked={shown.kinds.includes(kind)}
            disabled={change.isPending}
            onChange={(isOn) => toggle(kind, isOn)}
          />
        ))}
      </fieldset>
      <QuietHours
        key={`${saved.quiet?.from} ${saved.quiet?.to}`}
        quiet={shown.quiet}
        timeZone={device.timeZone}
        isBusy={change.isPending}
        onChange={(quiet) => change.mutate({ kinds: saved.kinds, quiet })}
      />
      <Button look="secondary" size="s" busy={remove.isPending} onClick={() => remove.mutate(device)}>
        {t('turnOff')}
      </Button>
    </>
  );
}

interface QuietHoursProps {
  readonly quiet: PushPreferences['quiet'];
  /** Time zone of the quiet hours, an IANA name. */
  readonly timeZone: string;
  readonly isBusy: boolean;
  readonly onChange: (quiet: PushPreferences['quiet']) => void;
}

function QuietHours({ quiet, timeZone, isBusy, onChange }: QuietHoursProps) {
  const t = useWords('push');
  const [times, setTimes] = useState(() => ({
    from: textOfMinute(quiet?.from ?? DEFAULT_QUIET.from),
    to: textOfMinute(quiet?.to ?? DEFAULT_QUIET.to),
  }));
  const save = (): void => {
    const [from, to] = [minuteOfText(times.from), minuteOfText(times.to)];
    if (from === undefined || to === undefined || quiet === undefined) return;
    if (from !== quiet.from || to !== quiet.to) onChange({ from, to });
  };
  return (
    <div className={css.quiet}>
      <Switch
        label={t('quiet')}
        checked={quiet !== undefined}
        disabled={isBusy}
        onChange={(isOn) => onChange(isOn ? DEFAULT_QUIET : undefined)}
      />
      <p className={css.note}>{t('quietAbout')}</p>
      {quiet === undefined ? null : (
        <>
          <div className={css.times}>
            <TextField
              type="time"
              label={t('quietFrom')}
              value={times.from}
              disabled={isBusy}
              onChange={(from) => setTimes({ from: from.slice(0, 5), to: times.to })}
              onBlur={save}
            />
            <TextField
              type="time"
              label={t('quietTo')}
              value={times.to}
              disabled={isBusy}
              onChange={(to) => setTimes({ from: times.from, to: to.slice(0, 5) })}
              onBlur={save}
            />
          </div>
          <p className={css.note}>{t('quietZone', { zone: timeZone.replaceAll('_', ' ') })}</p>
        </>
      )}
    </div>
  );
}

interface OtherDevicesProps {
  readonly site: PushSite;
  readonly devices: readonly PushDevice[];
}

function OtherDevices({ site, devices }: OtherDevicesProps) {
  const t = useWords('push');
  const locale = useLocale();
  const remove = useRemoveDevice(site, t('removed'));
  return (
    <>
      <h3>{t('otherDevices')}</h3>
      <ul className={css.devices}>
        {devices.map((device) => (
          <li key={device.id}>
            <div>
              <strong>{device.name}</strong>
              <p>{t('added', { date: formatTime(device.createTime, locale, 'minute') })}</p>
              {device.lastSentTime === 0 ? null : (
                <p>{t('lastSent', { date: formatTime(device.lastSentTime, locale, 'minute') })}</p>
              )}
            </div>
            <Button
              look="secondary"
              size="s"
              aria-label={t('removeDevice', { name: device.name })}
              busy={remove.isPending && remove.variables.id === device.id}
              onClick={() => remove.mutate(device)}
            >
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function useRemoveDevice(site: PushSite, done: string) {
  return useMutation({
    mutationFn: (device: PushDevice) => removeDevice(site, device),
    onSuccess: () => notify.success(done),
    onError: notify.failure,
    onSettled: refetchDevices,
  });
}
