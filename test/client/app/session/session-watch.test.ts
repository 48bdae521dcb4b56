// Tests the countdown of a session with an injected clock.
import t from 'tap'
import { END_AHEAD_MS, SessionWatch, type TabMessage } from '#client/app/session/session-watch.ts'
import type { SessionState } from '#shared/answers/session.ts'

const NOTICE_MS = 60_000
const sessionState = (expires_in: number): SessionState => ({
  authenticated: expires_in > 0,
  expires_in,
  expired: expires_in === 0
})

interface Listener {
  watch: { receive: (message: TabMessage) => void }
}

/** Opens a tab whose session ends in `secondsLeft` seconds. Only `wait` runs timers. */
function openTab(
  secondsLeft: number,
  {
    hidden = false,
    others = [],
    failure = null,
    final = false
  }: { hidden?: boolean; others?: Listener[]; failure?: 'down' | 'incomplete' | null; final?: boolean } = {}
) {
  let nowMs = 1_000
  let wallMs = 5_000_000
  let timers: { at: number; work: () => void }[] = []
  const gateway = {
    endsAtMs: nowMs + secondsLeft * 1000,
    down: false,
    incomplete: false,
    calls: 0,
    renewals: 0,
    slowMs: 0,
    idleMs: 1_800_000,
    final
  }
  if (failure) gateway[failure] = true
  const events: string[] = []
  const sentMessages: TabMessage[] = []
  const tab = { hidden }
  const answer = async (): Promise<SessionState> => {
    gateway.calls += 1
    if (gateway.down) throw new Error('unreachable')
    if (gateway.incomplete) return { authenticated: true, expires_in: Number.NaN, expired: false }
    const state = {
      ...sessionState(Math.max(0, Math.ceil((gateway.endsAtMs - nowMs) / 1000))),
      ...(gateway.final && { final: true as const })
    }
    if (gateway.slowMs > 0) await new Promise<void>((resolve) => void after(gateway.slowMs, resolve))
    return state
  }
  function after(ms: number, work: () => void) {
    const timer = { at: nowMs + ms, work }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }
  const watch = new SessionWatch({
    noticeMs: NOTICE_MS,
    read: answer,
    async renew() {
      gateway.renewals += 1
      if (!gateway.down) gateway.endsAtMs = nowMs + gateway.idleMs
      return answer()
    },
    now: () => nowMs,
    wallNow: () => wallMs,
    after,
    hidden: () => tab.hidden,
    sendToTabs(message) {
      sentMessages.push(message)
      for (const other of others) other.watch.receive(message)
    },
    onExpired: (ending) => events.push(ending),
    onEndedElsewhere: (ending) => events.push(`elsewhere: ${ending}`),
    onGone: (ended) => events.push(ended ? `gone: ${ended}` : 'gone')
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  async function wait(ms: number) {
    const endMs = nowMs + ms
    for (;;) {
      const nextTimer = timers.filter(({ at }) => at <= endMs).sort((a, b) => a.at - b.at)[0]
      const timeMs = nextTimer?.at ?? endMs
      wallMs += Math.max(timeMs - nowMs, 0)
      nowMs = Math.max(timeMs, nowMs)
      if (!nextTimer) break
      timers = timers.filter((other) => other !== nextTimer)
      nextTimer.work()
      await settle()
    }
    await settle()
  }
  const sleep = (ms: number) => {
    wallMs += ms
    gateway.endsAtMs -= ms
  }
  const setClock = (ms: number) => {
    wallMs += ms
  }
  watch.start()
  return {
    watch,
    gateway,
    events,
    sentMessages,
    tab,
    wait,
    settle,
    sleep,
    setClock,
    state: () => watch.store.getState()
  }
}

t.test('shows the prompt from 60 seconds before the end', async (t) => {
  const { wait, settle, state, gateway } = openTab(1800)
  await settle()
  t.equal(state().expiring, false)
  await wait(1_739_000)
  t.equal(state().expiring, false)
  await wait(1_000)
  t.equal(state().expiring, true)
  t.equal(state().endsAtMs, gateway.endsAtMs)
})

t.test('begins the countdown at 60 seconds although the gateway is slow', async (t) => {
  const { wait, settle, state, gateway } = openTab(1800)
  await settle()
  gateway.slowMs = 2_900
  await wait(1_739_999)
  t.equal(state().expiring, false)
  await wait(1)
  t.match(state(), { expiring: true, endsAtMs: gateway.endsAtMs })
})

t.test('calls the gateway only at the start, before the prompt and at the end', async (t) => {
  const { wait, settle, gateway, events } = openTab(1800)
  await settle()
  t.equal(gateway.calls, 1)
  await wait(1_736_000)
  t.equal(gateway.calls, 1)
  await wait(33_000)
  t.equal(gateway.calls, 2)
  t.same(events, [])
  await wait(31_000)
  t.ok(gateway.calls <= 4, `${gateway.calls} calls`)
  t.same(events, ['expired'])
})

t.test('shows no prompt if another tab has extended the session', async (t) => {
  const { wait, settle, gateway, state, events } = openTab(1800)
  await settle()
  await wait(1_000_000)
  gateway.endsAtMs += 1_000_000
  await wait(745_000)
  t.equal(state().expiring, false)
  t.equal(gateway.calls, 2)
  await wait(995_000)
  t.equal(state().expiring, true)
  t.same(events, [])
})

t.test('signs out once, just before the session ends', async (t) => {
  const { wait, settle, gateway, events } = openTab(61)
  await settle()
  await wait(61_000 - END_AHEAD_MS - 1)
  t.same(events, [])
  await wait(1)
  t.same(events, ['expired'])
  t.ok(gateway.endsAtMs > 0)
  await wait(600_000)
  t.same(events, ['expired'])
})

t.test('“Stay Connected” closes the prompt in this tab and in other tabs', async (t) => {
  const other = openTab(61)
  const tab = openTab(61, { others: [other] })
  await tab.settle()
  await tab.wait(2_000)
  await other.wait(2_000)
  t.equal(tab.state().expiring, true)
  t.equal(other.state().expiring, true)
  await tab.watch.renew()
  t.equal(tab.state().expiring, false)
  t.equal(other.state().expiring, false)
})

t.test('typing does not extend the session within a minute of an answer, or during the prompt', async (t) => {
  const { wait, settle, watch, gateway, state } = openTab(1800)
  watch.active()
  await settle()
  await wait(59_999)
  watch.active()
  t.equal(gateway.renewals, 0)
  await wait(1_690_000)
  t.equal(state().expiring, true)
  watch.active()
  await settle()
  t.equal(gateway.renewals, 0)
  t.equal(state().expiring, true)
})

t.test('typing extends the session, with one call a minute', async (t) => {
  const { wait, settle, watch, gateway, state, events } = openTab(1800)
  await settle()
  for (let seconds = 0; seconds < 3_600; seconds += 5) {
    await wait(5_000)
    watch.active()
    await settle()
  }
  t.equal(gateway.renewals, 60)
  t.equal(state().expiring, false)
  t.same(events, [])
})

t.test('typing calls an unreachable gateway once a minute, and the countdown continues', async (t) => {
  const { wait, settle, watch, gateway, state } = openTab(1800)
  await settle()
  gateway.down = true
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await wait(1_000)
    watch.active()
    await settle()
  }
  t.equal(gateway.renewals, 2)
  t.equal(state().endsAtMs, gateway.endsAtMs)
})

t.test('reports during the countdown and at the end that a session cannot be extended', async (t) => {
  const { wait, settle, state, events, sentMessages } = openTab(61, { final: true })
  await settle()
  await wait(2_000)
  t.match(state(), { expiring: true, final: true })
  t.match(sentMessages.at(-1), { kind: 'left', final: true })
  await wait(60_000)
  t.same(events, ['longest'])
  t.match(
    sentMessages.find(({ kind }) => kind === 'ended'),
    { ending: 'longest' }
  )
})

t.test('keeps the countdown when a renewal fails', async (t) => {
  const { wait, settle, gateway, state, watch } = openTab(61)
  await settle()
  await wait(2_000)
  const { endsAtMs } = state()
  gateway.down = true
  await t.rejects(watch.renew())
  t.match(state(), { expiring: true, endsAtMs })
})

t.test('ends the session with the reason from another tab, and makes no more calls', async (t) => {
  const { settle, watch, events, gateway, wait } = openTab(1800)
  await settle()
  watch.receive({ kind: 'ended', ending: 'signed-out' })
  t.same(events, ['elsewhere: signed-out'])
  await wait(3_600_000)
  t.equal(gateway.calls, 1)
})

t.test('reports a session that was ended from outside as gone, not expired', async (t) => {
  const { settle, watch, events, gateway, wait } = openTab(1800)
  await settle()
  gateway.endsAtMs = 0
  await wait(61_000)
  watch.wake()
  await settle()
  t.same(events, ['gone'])
})

t.test('a refused call ends the session only while the prompt shows', async (t) => {
  const { settle, watch, events, wait } = openTab(1800)
  await settle()
  t.equal(watch.refused(), false)
  await wait(1_741_000)
  t.equal(watch.refused(), true)
  t.equal(watch.refused(), true)
  t.same(events, ['expired'])
})

t.test('a hidden tab makes no call before the end, and uses the time reported by other tabs', async (t) => {
  const { settle, state, gateway, wait, watch, events, tab } = openTab(1800, { hidden: true })
  await settle()
  await wait(1_745_000)
  t.equal(gateway.calls, 1)
  t.equal(state().expiring, false)
  watch.wake()
  t.equal(gateway.calls, 1)
  watch.receive({ kind: 'left', leftMs: 50_000, final: false })
  t.equal(state().expiring, true)
  tab.hidden = false
  gateway.endsAtMs += 1_000_000
  watch.wake()
  await settle()
  t.equal(state().expiring, false)
  t.same(events, [])
})

t.test('a hidden tab calls the gateway before it signs out', async (t) => {
  const { settle, gateway, wait, events } = openTab(1800, { hidden: true })
  await settle()
  gateway.endsAtMs += 1_000_000
  await wait(1_801_000)
  t.same(events, [])
  t.equal(gateway.calls, 2)
})

t.test('notices at once that the session ended while the machine slept', async (t) => {
  const { settle, sleep, watch, events } = openTab(1800)
  await settle()
  sleep(3_600_000)
  watch.wake()
  await settle()
  t.same(events, ['expired'])
})

for (const [what, jump] of [
  ['back by a year', -31_536_000_000],
  ['ahead by a year', 31_536_000_000]
] as const) {
  t.test(`ignores that the system clock is set ${what}`, async (t) => {
    const { settle, setClock, wait, state, events } = openTab(1800)
    await settle()
    setClock(jump)
    await wait(1_700_000)
    t.same(events, [])
    t.equal(state().expiring, false)
    await wait(41_000)
    t.equal(state().expiring, true)
    t.same(events, [])
  })
}

t.test('keeps calling an unreachable gateway, and signs out when the session ends', async (t) => {
  const { settle, gateway, wait, events, state } = openTab(100)
  await settle()
  gateway.down = true
  await wait(45_000)
  t.equal(state().expiring, true)
  gateway.down = false
  gateway.endsAtMs += 1_000_000
  await wait(20_000)
  t.equal(state().expiring, false)
  gateway.down = true
  await wait(1_100_000)
  t.same(events, ['expired'])
})

for (const [what, failure] of [
  ['is unreachable', 'down'],
  ['does not give the remaining time', 'incomplete']
] as const) {
  t.test(`calls a gateway that ${what} every 15 seconds until it answers`, async (t) => {
    const { settle, gateway, wait, events, state } = openTab(1800, { failure })
    await settle()
    t.equal(gateway.calls, 1)
    await wait(14_999)
    t.equal(gateway.calls, 1)
    await wait(1)
    t.equal(gateway.calls, 2)
    t.match(state(), { expiring: false, final: false })
    gateway[failure] = false
    await wait(15_000)
    t.equal(gateway.calls, 3)
    await wait(1_000_000)
    t.equal(gateway.calls, 3)
    t.same(events, [])
  })
}
