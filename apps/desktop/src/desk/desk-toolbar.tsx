import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DockviewApi } from 'dockview-react';
import { ChevronDown, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import menu from '../shell/dropdown.module.css';
import { Dropdown } from '../shell/dropdown.tsx';
import tool from '../style/tool.module.css';
import { PANEL_KINDS, PANELS_MAX, type PanelKind } from './desk-layout.ts';
import { DeskHeader } from './desk-header.tsx';
import classes from './desk.module.css';
import { LayoutDialog, type LayoutQuestion } from './layout-dialog.tsx';
import { DIRECTIONS, movePanel, type Resize, RESIZES, resizePanel } from './moves.ts';
import { POPOUT_URL } from './pop-out.ts';
import { PRESETS, type Preset } from './presets.ts';
import type { SavedLayout } from './saved-layouts.ts';
import { useDock } from './use-dock.ts';

interface ToolbarProps {
  readonly api: DockviewApi;
  /**
   * Name of the saved layout from which the shown arrangement started; undefined if it started from a preset,
   * or from a layout that is no longer saved.
   */
  readonly name: string | undefined;
  readonly saved: readonly SavedLayout[];
  readonly onPreset: (preset: Preset) => void;
  readonly onOpen: (layout: SavedLayout) => void;
  readonly onSave: (name: string) => void;
  readonly onRename: (before: string, name: string) => void;
  readonly onDelete: (name: string) => void;
  /**
   * Discards the changes of the arrangement: shows the saved layout from which it started as it was saved or, if it
   * started from a preset, the standard layout.
   */
  readonly onReset: () => void;
  readonly onAdd: (kind: PanelKind) => void;
}

/** The menus of the desk: layouts, panels to add, and actions on the active panel. */
export function DeskToolbar(props: ToolbarProps) {
  const t = useWords('desk');
  const [question, setQuestion] = useState<LayoutQuestion>();
  return (
    <DeskHeader>
      <p className={classes.keys}>{t('keys')}</p>
      <LayoutMenu {...props} onQuestion={setQuestion} />
      <AddMenu api={props.api} onAdd={props.onAdd} />
      <PanelMenu api={props.api} />
      {question !== undefined && (
        <LayoutDialog
          question={question}
          saved={props.saved}
          onSave={props.onSave}
          onRename={props.onRename}
          onDelete={props.onDelete}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </DeskHeader>
  );
}

interface LayoutMenuProps extends ToolbarProps {
  readonly onQuestion: (question: LayoutQuestion) => void;
}

function LayoutMenu({ name, saved, onPreset, onOpen, onReset, onQuestion }: LayoutMenuProps) {
  const t = useWords('desk');
  return (
    <Dropdown
      closesOnChoice
      label={name === undefined ? t('layout') : t('layoutNamed', { name })}
      className={classes.menu}
      face={<Face text={name ?? t('layout')} />}
    >
      <p className={menu.heading}>{t('presets')}</p>
      {PRESETS.map((preset) => (
        <button key={preset} type="button" className={menu.item} onClick={() => onPreset(preset)}>
          {t(`preset.${preset}`)}
        </button>
      ))}
      <p className={menu.heading} data-next>
        {t('saved')}
      </p>
      {saved.length === 0 && <p className={classes.none}>{t('savedNone')}</p>}
      <ul className={classes.layouts}>
        {saved.map((layout) => (
          <li key={layout.name}>
            <button
              type="button"
              className={menu.item}
              aria-pressed={layout.name === name}
              onClick={() => onOpen(layout)}
            >
              {layout.name}
            </button>
            <button
              type="button"
              className={tool.tool}
              aria-label={t('rename', { name: layout.name })}
              title={t('rename', { name: layout.name })}
              onClick={() => onQuestion({ kind: 'rename', name: layout.name })}
            >
              <Pencil size={14} aria-hidden="true" />
            </button>
            <button
              type="button"
              className={tool.tool}
              aria-label={t('delete', { name: layout.name })}
              title={t('delete', { name: layout.name })}
              onClick={() => onQuestion({ kind: 'delete', name: layout.name })}
            >
              <Trash2 size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className={menu.item}
        data-last
        onClick={() => onQuestion({ kind: 'save', name: name ?? '' })}
      >
        {t('saveAs')}
      </button>
      <button type="button" className={menu.item} onClick={onReset}>
        {t('reset')}
      </button>
    </Dropdown>
  );
}

/**
 * Menu of the kinds of panels that can be added beside the active one; its entries are disabled when the desk is full.
 */
function AddMenu({ api, onAdd }: Pick<ToolbarProps, 'api' | 'onAdd'>) {
  const t = useWords('desk');
  const isFull = useDock(api, () => api.totalPanels >= PANELS_MAX);
  return (
    <Dropdown
      closesOnChoice
      label={t('add')}
      className={classes.menu}
      face={
        <>
          <Plus size={14} aria-hidden="true" /> {t('add')}
        </>
      }
    >
      {isFull && <p className={classes.none}>{t('tooMany', { max: PANELS_MAX })}</p>}
      {PANEL_KINDS.map((kind) => (
        <button key={kind} type="button" className={menu.item} disabled={isFull} onClick={() => onAdd(kind)}>
          {t(`kind.${kind}`)}
        </button>
      ))}
    </Dropdown>
  );
}

const RESIZE_NAMES = Object.keys(RESIZES) as readonly Resize[];

/** Menu of the active panel with the actions that otherwise need a mouse on its tab, such as moving it. */
function PanelMenu({ api }: Pick<ToolbarProps, 'api'>) {
  const t = useWords('desk');
  const panel = useDock(api, () => api.activePanel);
  const title = useDock(api, () => api.activePanel?.title ?? '');
  const isMaximized = useDock(api, () => api.hasMaximizedGroup());
  if (panel === undefined) return null;
  return (
    <Dropdown
      closesOnChoice
      label={t('panelNamed', { name: title })}
      className={classes.menu}
      face={<Face text={t('panel')} />}
    >
      <p className={menu.heading}>{title}</p>
      {DIRECTIONS.map((direction) => (
        <button
          key={direction}
          type="button"
          className={menu.item}
          disabled={isMaximized}
          onClick={() => movePanel(api, panel, direction)}
        >
          {t(`move.${direction}`)}
        </button>
      ))}
      {RESIZE_NAMES.map((resize) => (
        <button
          key={resize}
          type="button"
          className={menu.item}
          data-stays
          disabled={isMaximized}
          onClick={() => resizePanel(panel, resize)}
        >
          {t(`resize.${resize}`)}
        </button>
      ))}
      <button
        type="button"
        className={menu.item}
        data-last
        onClick={() => (isMaximized ? api.exitMaximizedGroup() : panel.api.maximize())}
      >
        {t(isMaximized ? 'restore' : 'maximize')}
      </button>
      <button
        type="button"
        className={menu.item}
        onClick={() => void api.addPopoutGroup(panel, { popoutUrl: POPOUT_URL })}
      >
        {t('popOut')}
      </button>
      <button type="button" className={menu.item} onClick={() => panel.api.close()}>
        {t('closePanel')}
      </button>
    </Dropdown>
  );
}

function Face({ text }: { readonly text: string }) {
  return (
    <>
      <span className={classes.face}>{text}</span> <ChevronDown size={14} aria-hidden="true" />
    </>
  );
}
