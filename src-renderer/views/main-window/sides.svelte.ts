import { MediaQuery } from 'svelte/reactivity'
import type { Route } from '../../state/navigation/route.svelte.ts'

/**
 * Decides whether the sidebar, the people and the sync panel are shown. A wide window shows them beside the sheet until
 * they are closed, and the panel replaces the people. A narrow window shows them over the sheet while they are wanted.
 * On the search view, the filters of the search are in the place of the people.
 */
export class Sides {
  readonly #roomForPeople = new MediaQuery('min-width: 1200px', true)
  readonly #roomForSidebar = new MediaQuery('min-width: 801px', true)
  readonly #current: () => Pick<Route, 'view'>
  readonly #wantsPeopleOnLeft: () => boolean
  // The inbox is a list itself, so there people are shown only on request.
  #beside = $state({ people: true, inbox: false, search: true, sidebar: true })
  #over = $state({ people: false, sidebar: false })
  #showsSync = $state(false)

  constructor(current: () => Pick<Route, 'view'>, wantsPeopleOnLeft: () => boolean) {
    this.#current = current
    this.#wantsPeopleOnLeft = wantsPeopleOnLeft
  }

  get hasRoomForPeople(): boolean {
    return this.#roomForPeople.current
  }

  get hasRoomForSidebar(): boolean {
    return this.#roomForSidebar.current
  }

  /** People are below the sidebar if there is no room for them on the other side. */
  get isPeopleOnLeft(): boolean {
    return !this.hasRoomForPeople && this.hasRoomForSidebar && this.#wantsPeopleOnLeft()
  }

  /** What is remembered of the column here: the inbox and the search have their own. */
  get #column(): 'people' | 'inbox' | 'search' {
    const { view } = this.#current()
    return view === 'inbox' || view === 'search' ? view : 'people'
  }

  get #isPeopleBeside(): boolean {
    return this.hasRoomForPeople || this.isPeopleOnLeft
  }

  get showsPeople(): boolean {
    if (!this.#isPeopleBeside) return this.#over.people
    if (this.isSyncBeside) return false
    return this.#beside[this.#column]
  }

  get showsSidebar(): boolean {
    return this.hasRoomForSidebar ? this.#beside.sidebar : this.#over.sidebar
  }

  get isPeopleOver(): boolean {
    return this.#over.people && !this.hasRoomForPeople
  }

  get showsSync(): boolean {
    return this.#showsSync
  }

  /** The sync panel is beside the sheet, not over it. */
  get isSyncBeside(): boolean {
    return this.#showsSync && this.hasRoomForPeople
  }

  /** Something lies over the sheet. */
  get isOver(): boolean {
    return (
      this.isPeopleOver ||
      (this.#showsSync && !this.isSyncBeside) ||
      (this.#over.sidebar && !this.hasRoomForSidebar)
    )
  }

  showPeople(shows: boolean): void {
    if (shows) this.#showsSync = false
    if (!this.#isPeopleBeside) this.#over = { people: shows, sidebar: false }
    else this.#beside[this.#column] = shows
  }

  showSidebar(shows: boolean): void {
    if (this.hasRoomForSidebar) this.#beside.sidebar = shows
    else this.#over = { sidebar: shows, people: false }
  }

  showSync(shows: boolean): void {
    this.#over = { people: false, sidebar: false }
    this.#showsSync = shows
  }

  /** Closes what lies over the sheet. */
  putAway(): void {
    if (!this.isSyncBeside) this.#showsSync = false
    this.#over = { people: false, sidebar: false }
  }
}
