import { useSyncExternalStore } from 'react';
import { onStoredChange, readStored, store } from '../storage.ts';

/** Storage key; the setting is kept on the device, not in the account. */
const KEY = 'alert-sound';
const ON = '1';

/** Two short tones: frequency in hertz, start in seconds. */
const TONES = [
  { frequency: 880, startSeconds: 0 },
  { frequency: 1_320, startSeconds: 0.16 },
] as const;
const TONE_SECONDS = 0.14;
const LOUDNESS = 0.15;

const followers = new Set<() => void>();
let context: AudioContext | undefined;

/** Whether price alerts play a sound on this device; off by default. */
export function hasAlertSound(): boolean {
  return readStored(KEY) === ON;
}

/** Like `hasAlertSound`, as React state. */
export function useAlertSound(): boolean {
  return useSyncExternalStore(follow, hasAlertSound);
}

function follow(onChange: () => void): () => void {
  followers.add(onChange);
  const stopWatchingStorage = onStoredChange(KEY, onChange);
  return () => {
    followers.delete(onChange);
    stopWatchingStorage();
  };
}

/** Enables or disables the sound of price alerts on this device, and plays it when enabled. */
export function setAlertSound(isOn: boolean): void {
  store(KEY, isOn ? ON : null);
  for (const notifyFollower of followers) notifyFollower();
  if (isOn) void playAlertSound();
}

/**
 * Browsers block sound until the user has interacted with the page. Unlocks it at the first press or key if the sound
 * is enabled. Returns a function that removes the listeners.
 */
export function allowSoundAtFirstPress(): () => void {
  const removeListeners = () => {
    window.removeEventListener('pointerdown', unlockSound);
    window.removeEventListener('keydown', unlockSound);
  };
  const unlockSound = () => {
    if (!hasAlertSound()) return;
    void audioContext()?.resume();
    removeListeners();
  };
  window.addEventListener('pointerdown', unlockSound);
  window.addEventListener('keydown', unlockSound);
  return removeListeners;
}

/** Plays the alert sound. Resolves to whether the browser allowed it. */
export async function playAlertSound(): Promise<boolean> {
  const output = audioContext();
  if (output === undefined) return false;
  if (output.state !== 'running') {
    // Without a user interaction `resume` may never settle; the alert is shown anyway.
    void output.resume();
    await Promise.resolve();
    if (output.state === 'suspended' && !navigator.userActivation?.hasBeenActive) return false;
  }
  for (const { frequency, startSeconds } of TONES) {
    const tone = output.createOscillator();
    const volume = output.createGain();
    const start = output.currentTime + startSeconds;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(output.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
  return true;
}

function audioContext(): AudioContext | undefined {
  if (typeof AudioContext === 'undefined') return undefined;
  context ??= new AudioContext();
  return context;
}
