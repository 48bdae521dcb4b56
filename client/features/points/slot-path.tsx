import { Fragment } from 'react'

/** On one line. Where it is too long its beginning goes: by its end points are told apart. */
export function SlotPath({ path }: { path: string }) {
  return (
    <span className="slot-path" title={path}>
      <bdi>{path || '–'}</bdi>
    </span>
  )
}

/** All of it, over as many lines as it takes, broken at its slashes. */
export function WholePath({ path }: { path: string }) {
  const steps = path.split('/')
  return steps.map((step, place) => (
    <Fragment key={steps.slice(0, place + 1).join('/')}>
      {place > 0 && (
        <>
          /<wbr />
        </>
      )}
      {step}
    </Fragment>
  ))
}
