import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import type { ProjectList as Projects } from '#shared/entities.ts'
import { ProjectEntries } from './project-entries.tsx'
import type { ViewControl } from './use-device-view.ts'

interface ProjectListProps {
  list: Projects | undefined
  control: ViewControl
  collapsed: boolean
  onCollapse: (collapsed: boolean) => void
}

/** The project list beside the table, which it can make room for. */
export function ProjectList({ list, control, collapsed, onCollapse }: ProjectListProps) {
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  const name = list ? `Projects (${list.projects.length})` : 'Projects'
  return (
    <section className="card project-list" aria-label="Projects">
      <div className="card-head">
        {!collapsed && <h2>{name}</h2>}
        <button
          type="button"
          className="button quiet icon"
          aria-label={collapsed ? 'Show project list' : 'Hide project list'}
          title={collapsed ? 'Show project list' : 'Hide project list'}
          aria-expanded={!collapsed}
          onClick={() => onCollapse(!collapsed)}
        >
          <Icon />
        </button>
      </div>
      {!collapsed && <ProjectEntries list={list} control={control} />}
    </section>
  )
}
