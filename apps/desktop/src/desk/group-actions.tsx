import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Toaster } from '@exchange/web-kit/ui/toast.tsx';
import type { DockviewGroupPanelApi, IDockviewHeaderActionsProps } from 'dockview-react';
import { ExternalLink, Maximize2, Minimize2, PanelTopClose, X } from 'lucide-react';
import { useEffect } from 'react';
import tool from '../style/tool.module.css';
import classes from './desk.module.css';
import { nameWindow, POPOUT_URL } from './pop-out.ts';
import { useDock } from './use-dock.ts';

/**
 * Buttons at the end of a group's tabs: they maximise or restore the group, move the shown panel into a window of its
 * own or back, or close the shown panel.
 */
export function GroupActions({ api, containerApi, activePanel }: IDockviewHeaderActionsProps) {
  const t = useWords('desk');
  const isMaximized = useDock(containerApi, () => api.isMaximized());
  const windowOfGroup = useDock(containerApi, () => windowOf(api));
  const title = useDock(containerApi, () => activePanel?.title ?? '');
  useEffect(() => {
    if (windowOfGroup !== undefined) nameWindow(windowOfGroup, title);
  }, [windowOfGroup, title]);
  if (activePanel === undefined) return null;
  return (
    <div className={classes.actions}>
      {windowOfGroup === undefined ? (
        <>
          <Action
            name={t(isMaximized ? 'restore' : 'maximize')}
            panel={title}
            onPress={() => (isMaximized ? api.exitMaximized() : api.maximize())}
          >
            {isMaximized ? (
              <Minimize2 size={14} aria-hidden="true" />
            ) : (
              <Maximize2 size={14} aria-hidden="true" />
            )}
          </Action>
          <Action
            name={t('popOut')}
            panel={title}
            onPress={() => void containerApi.addPopoutGroup(activePanel, { popoutUrl: POPOUT_URL })}
          >
            <ExternalLink size={14} aria-hidden="true" />
          </Action>
        </>
      ) : (
        <>
          <Toaster place={windowOfGroup.document.body} />
          <Action name={t('dock')} panel={title} onPress={() => windowOfGroup.close()}>
            <PanelTopClose size={14} aria-hidden="true" />
          </Action>
        </>
      )}
      <Action name={t('closePanel')} panel={title} onPress={() => activePanel.api.close()}>
        <X size={14} aria-hidden="true" />
      </Action>
    </div>
  );
}

interface ActionProps {
  readonly name: string;
  /** Title of the panel, which distinguishes the buttons of several groups. */
  readonly panel: string;
  readonly onPress: () => void;
  readonly children: React.ReactNode;
}

function Action({ name, panel, onPress, children }: ActionProps) {
  return (
    <button
      type="button"
      className={tool.tool}
      aria-label={`${name}: ${panel}`}
      title={name}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

function windowOf({ location }: DockviewGroupPanelApi): Window | undefined {
  return location.type === 'popout' ? location.getWindow() : undefined;
}
