import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import Plus from 'lucide-react/icons/plus'
import { useId, useState } from 'react'
import { count } from '../../../lib/format.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { operateList } from '../../../ui/list/list-keys.ts'
import { LoadMore, useFocusOnNew } from '../../../ui/list/load-more.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { useCustomer } from '../customers/customer.tsx'
import type { DeviceQuery } from '../devices/device-view.ts'
import { searchProjects } from './api.ts'
import { showCreateProject } from './project-dialogs.tsx'
import { Entry, ProjectRow } from './project-row.tsx'

/** How many entries are rendered at first, and added each time the person reaches the end of the list. */
const PROJECTS_AT_ONCE = 100

interface ProjectListProps {
  query: DeviceQuery
  collapsed: boolean
  onCollapse: (collapsed: boolean) => void
}

export function ProjectList({ query, collapsed, onCollapse }: ProjectListProps) {
  const { list } = useCustomer()
  return (
    <section className="card project-list" aria-label="Projects">
      <div className="line spread card-head">
        {!collapsed && <h2>{list ? `Projects (${list.projects.length})` : 'Projects'}</h2>}
        <IconButton
          name={collapsed ? 'Show project list' : 'Hide project list'}
          Icon={collapsed ? PanelLeftOpen : PanelLeftClose}
          aria-expanded={!collapsed}
          onPress={() => onCollapse(!collapsed)}
        />
      </div>
      {!collapsed && <ProjectEntries query={query} />}
    </section>
  )
}

export function ProjectDialog({ query, onClose }: { query: DeviceQuery; onClose: () => void }) {
  const { list } = useCustomer()
  return (
    <Modal title={list ? `Projects (${list.projects.length})` : 'Projects'} onClose={onClose}>
      <ProjectEntries query={query} onChosen={onClose} />
    </Modal>
  )
}

/** The value of the query parameter `project` without a project. */
const ALL_PROJECTS = ''

const SKELETONS = ['70%', '50%', '85%', '60%', '75%', '55%', '65%', '80%']

function ProjectEntries({ query, onChosen }: { query: DeviceQuery; onChosen?: () => void }) {
  const { list, partnerId } = useCustomer()
  const [keyword, setKeyword] = useState('')
  const [renderedMax, setRenderedMax] = useState(PROJECTS_AT_ONCE)
  const chosenId = query.values.project
  const matches = searchProjects(list?.projects ?? [], keyword)
  const chosen = matches.slice(renderedMax).find(({ id }) => id === chosenId)
  const renderedProjects = [...(chosen ? [chosen] : []), ...matches.slice(0, renderedMax)]
  const showsAll = matches.length > 1 && keyword.trim() === ''
  const entries = useFocusOnNew(renderedProjects.length + Number(showsAll))
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const entryIds = [...(showsAll ? [ALL_PROJECTS] : []), ...renderedProjects.map(({ id }) => id)]
  const tabStopId = [focusedId, chosenId].find((id) => id !== null && entryIds.includes(id)) ?? entryIds[0]
  const keysHint = useId()
  const link = (project: string) => ({
    to: query.searchFor({ project }),
    chosen: chosenId === project,
    tabStop: tabStopId === project,
    onChosen
  })

  function search(text: string) {
    setKeyword(text)
    setRenderedMax(PROJECTS_AT_ONCE)
  }

  return (
    <>
      <SearchField label="Search Project" value={keyword} everyKey onSearch={search} />
      {list ? (
        <ul
          className="stack project-entries"
          ref={entries.list}
          aria-describedby={keysHint}
          onKeyDown={operateList}
          onFocus={({ target }) => setFocusedId(target.closest('li')?.dataset.project ?? null)}
        >
          {showsAll && (
            <li data-project={ALL_PROJECTS}>
              <Entry {...link(ALL_PROJECTS)} name="All Projects" devices={list.totals.devices} />
            </li>
          )}
          {renderedProjects.map((project) => (
            <ProjectRow key={project.id} project={project} {...link(project.id)} />
          ))}
          {renderedProjects.length < matches.length && (
            <li>
              <LoadMore
                label={`Show ${PROJECTS_AT_ONCE} more`}
                busy={false}
                onScroll
                onLoad={(byHand) => {
                  if (byHand) entries.expectMore()
                  setRenderedMax(renderedMax + PROJECTS_AT_ONCE)
                }}
              />
            </li>
          )}
        </ul>
      ) : (
        <div className="stack project-entries" role="status">
          <span className="sr-only">Loading projects</span>
          {SKELETONS.map((width) => (
            <span key={width} className="entry spread project-entry">
              <Skeleton width={width} />
            </span>
          ))}
        </div>
      )}
      <p id={keysHint} className="sr-only">
        Arrow keys move between the projects and their actions.
      </p>
      <p role="status" className={!list || matches.length > 0 ? 'sr-only' : 'muted project-none'}>
        {list && (matches.length > 0 ? count(matches.length, 'project') : 'No project has this name.')}
      </p>
      {list && partnerId !== null && (
        <div className="project-foot">
          <button type="button" className="button" onClick={() => showCreateProject(partnerId)}>
            <Plus />
            Create New Project
          </button>
        </div>
      )}
    </>
  )
}
