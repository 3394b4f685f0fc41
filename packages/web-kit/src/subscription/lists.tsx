import type { ReactNode } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { PartCard } from './part-card.tsx';
import { ProjectCard } from './parts.tsx';
import { phaseOf, useIsTraded, type Phase } from './phase.ts';
import { useParts, useProjects, type Project } from './queries.ts';
import css from './subscription.module.css';

const SECTIONS: readonly Phase[] = ['onSale', 'upcoming', 'distributing', 'listed', 'ended'];

/** All token sales, grouped by phase; those that users can take part in now are listed first. */
export function ProjectList({ linkTo }: { readonly linkTo: (project: Project) => ReactNode }) {
  const t = useWords('subscription');
  const { data = [], isPending, error, refetch } = useProjects();
  const isTraded = useIsTraded();
  return (
    <ListBody
      look="cards"
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      isEmpty={data.length === 0}
      empty={t('noProjects')}
    >
      {SECTIONS.map((phase) => {
        const projects = data.filter((project) => phaseOf(project, isTraded(project.symbol)) === phase);
        return projects.length === 0 ? null : (
          <section key={phase} aria-label={t(phase)}>
            <h2 className={css.heading}>{t(phase)}</h2>
            <div className={css.cards}>
              {projects.map((project) => (
                <ProjectCard key={project.id} project={project} link={linkTo(project)} />
              ))}
            </div>
          </section>
        );
      })}
    </ListBody>
  );
}

/** The user's commitments to token sales, with the results of the sales. */
export function PartList({ action }: { readonly action: ReactNode }) {
  const t = useWords('subscription');
  const parts = useParts();
  return (
    <ListBody
      look="cards"
      isLoading={parts.isLoading}
      error={parts.error}
      onRetry={() => void parts.reload()}
      isEmpty={parts.rows.length === 0}
      empty={t('noParts')}
      action={action}
    >
      <div className={css.cards}>
        {parts.rows.map((part) => (
          <PartCard key={part.id} part={part} />
        ))}
      </div>
      <ListEnd list={parts} />
    </ListBody>
  );
}
