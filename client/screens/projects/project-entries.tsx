import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ProjectList } from '#shared/entities.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { count, formatNumber } from '../../lib/format.ts'
import { searchProjects, showsAllProjects } from '../../lib/project-search.ts'
import type { ViewControl } from './use-device-view.ts'

interface ProjectEntriesProps {
  list: ProjectList | undefined
  control: ViewControl
  onChosen?: () => void
}

const SKELETONS = ['70%', '50%', '85%', '60%', '75%', '55%', '65%', '80%']

/** Search and choice of a project; the choice stands in the URL. */
export function ProjectEntries({ list, control, onChosen }: ProjectEntriesProps) {
  const [keyword, setKeyword] = useState('')
  const found = searchProjects(list?.projects ?? [], keyword)
  const entry = (id: string | null, name: string, devices: number) => (
    <li key={id ?? 'all'}>
      <Link
        to={control.searchFor(id)}
        className="project-entry"
        aria-current={control.view.project === id ? 'true' : undefined}
        onClick={onChosen}
      >
        <span className="project-name two-lines" title={name}>
          <ClippedText text={name} />
        </span>
        <span className="project-count">
          {formatNumber(devices)}
          <span className="sr-only"> {devices === 1 ? 'device' : 'devices'}</span>
        </span>
      </Link>
    </li>
  )
  return (
    <>
      <SearchField label="Search Project" value={keyword} debounceMs={0} onSearch={setKeyword} />
      {list ? (
        <ul className="project-entries">
          {showsAllProjects(found.length, keyword) && entry(null, 'All Projects', list.totals.devices)}
          {found.map((project) => entry(project.id, project.projectName, project.deviceCount))}
        </ul>
      ) : (
        <ProjectSkeletons />
      )}
      <p role="status" className={!list || found.length > 0 ? 'sr-only' : 'project-none'}>
        {list && (found.length > 0 ? count(found.length, 'project') : 'No project has this name.')}
      </p>
    </>
  )
}

function ProjectSkeletons() {
  return (
    <div className="project-entries" role="status">
      <span className="sr-only">Loading projects</span>
      {SKELETONS.map((width) => (
        <span key={width} className="project-entry">
          <Skeleton width={width} />
        </span>
      ))}
    </div>
  )
}
