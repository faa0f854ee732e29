use std::net::Ipv4Addr;

use engine::game::Rng;

use super::*;

const MS: Duration = Duration::from_millis(1);

fn client(n: u8) -> Client {
    Client::from(std::net::IpAddr::from(Ipv4Addr::new(192, 0, 2, n)))
}

/// An empty queue whose time slice is a second.
fn empty(slots: u32) -> Queue {
    Queue::new(slots, 1_000 * MS)
}

/// A search of 100 ms that waits at most so long.
fn wanted(n: u8, now: Instant, wait: Duration) -> Candidate {
    let (cost, budget) = (100 * MS, 100 * MS);
    Candidate { client: client(n), threads: 1, cost, budget, start_by: now + wait }
}

fn admit(queue: &mut Queue, now: Instant, wanted: Candidate) -> Id {
    queue.submit(now, wanted).expect("there is room").id
}

#[test]
fn a_search_that_would_wait_too_long_is_refused_until_others_are_done() {
    let (mut queue, now) = (empty(2), Instant::now());
    for _ in 0..2 {
        let id = admit(&mut queue, now, wanted(1, now, 150 * MS));
        assert_eq!(queue.next(now), Some(id), "a slot is free");
    }
    let third = admit(&mut queue, now, wanted(1, now, 150 * MS));
    admit(&mut queue, now, wanted(1, now, 150 * MS));
    assert_eq!(queue.next(now), None);
    let busy = queue.submit(now, wanted(1, now, 150 * MS)).expect_err("it would wait 200 ms");
    assert_eq!(busy.retry_after, 50 * MS);
    assert!(queue.submit(now + 50 * MS, wanted(1, now + 50 * MS, 150 * MS)).is_ok(), "as told");
    queue.leave(1);
    assert_eq!(queue.next(now + 60 * MS), Some(third));
}

#[test]
fn a_wait_is_expected_as_it_comes() {
    let (mut rng, start) = (Rng::new(11), Instant::now());
    for _ in 0..200 {
        let mut queue = empty(1 + rng.below(3) as u32);
        let (mut now, mut expected) = (start, HashMap::new());
        for _ in 0..6 {
            let cost = rng.below(300) as u32 * MS;
            let all = wanted(rng.below(3) as u8, now, 10_000 * MS);
            let admitted = queue.submit(now, Candidate { cost, ..all }).expect("there is room");
            expected.insert(admitted.id, admitted.expected);
            while queue.next(now).is_some() {}
        }
        // Nobody else comes, and all last as long as they may: those of one client keep their order.
        let last = expected.keys().copied().max().expect("some were admitted");
        while queue.waiting.iter().any(|search| search.id == last) {
            let then = queue.running.iter().map(|search| search.ends).min().expect("one runs");
            queue.running.retain(|search| search.ends > then);
            now = then;
            while queue.next(now).is_some() {}
        }
        assert_eq!(now - start, expected[&last], "{queue:?}");
    }
}

/// Lets the time pass from `now` to `then`: searches end when they should, and those that wait start.
fn pass(queue: &mut Queue, mut now: Instant, then: Instant) {
    loop {
        while queue.next(now).is_some() {}
        let first = queue.running.iter().min_by_key(|search| search.ends);
        let Some(&Running { id, ends, .. }) = first.filter(|search| search.ends <= then) else {
            return;
        };
        now = now.max(ends);
        queue.leave(id);
    }
}

#[test]
fn who_asks_again_when_told_is_admitted_and_who_asks_after_less_than_half_of_it_is_not() {
    let (mut rng, start) = (Rng::new(7), Instant::now());
    let mut told = 0;
    for _ in 0..1_000 {
        let (slots, mut now) = (1 + rng.below(4) as u32, start);
        let mut queue = empty(slots);
        for _ in 0..40 {
            let cost = MS * (10 + rng.below(500) as u32);
            let threads = 1 + rng.below(2) as u32;
            let at = |now| Candidate { cost, threads, ..wanted(1, now, 2 * cost) };
            if let Err(Busy { retry_after }) = queue.submit(now, at(now)) {
                told += 1;
                let early = now + retry_after.mul_f64(0.49);
                pass(&mut queue, now, early);
                assert!(queue.submit(early, at(early)).is_err(), "{retry_after:?} was too long");
                now += retry_after;
                pass(&mut queue, early, now);
                assert!(queue.submit(now, at(now)).is_ok(), "{retry_after:?} was too short");
            }
            let later = now + MS * rng.below(100) as u32;
            pass(&mut queue, now, later);
            now = later;
        }
    }
    assert!(told > 1_000, "{told} refusals");
}

#[test]
fn the_client_with_the_fewest_searches_is_next() {
    let (mut queue, now) = (empty(1), Instant::now());
    let running = admit(&mut queue, now, wanted(1, now, MS));
    assert_eq!(queue.next(now), Some(running));
    let greedy = admit(&mut queue, now, wanted(1, now, 1_000 * MS));
    let polite = admit(&mut queue, now, wanted(2, now, 1_000 * MS));
    queue.leave(running);
    assert_eq!(queue.next(now), Some(greedy), "nobody holds anything, and it came first");
    queue.leave(greedy);
    assert_eq!(queue.next(now), Some(polite));

    let (mut queue, now) = (empty(2), Instant::now());
    let running = [(); 2].map(|()| admit(&mut queue, now, wanted(1, now, MS)));
    assert_eq!(running.map(|_| queue.next(now).expect("a slot")), running);
    let greedy = admit(&mut queue, now, wanted(1, now, 1_000 * MS));
    let polite = admit(&mut queue, now, wanted(2, now, 1_000 * MS));
    queue.leave(running[0]);
    assert_eq!(queue.next(now), Some(polite), "the other one holds a slot");
    queue.leave(running[1]);
    assert_eq!(queue.next(now), Some(greedy));
}

#[test]
fn a_newcomer_takes_the_place_of_one_that_waits_for_a_greedy_client() {
    let (mut queue, now) = (empty(1), Instant::now());
    admit(&mut queue, now, wanted(1, now, MS));
    queue.next(now);
    admit(&mut queue, now, wanted(1, now, 200 * MS));
    let last = admit(&mut queue, now, wanted(1, now, 200 * MS));
    assert!(queue.submit(now, wanted(1, now, 200 * MS)).is_err(), "its share is used up");
    let newcomer = queue.submit(now, wanted(2, now, 200 * MS)).expect("it has nothing yet");
    assert_eq!(newcomer.refused, [last]);
    assert!(queue.submit(now, wanted(2, now, 200 * MS)).is_err(), "both have as much now");
}

#[test]
fn a_long_search_of_a_client_with_more_than_its_share_gives_way() {
    let (mut queue, now) = (empty(2), Instant::now());
    let long = |n| Candidate { cost: 60_000 * MS, ..wanted(n, now, 1_000 * MS) };
    let first = admit(&mut queue, now, long(1));
    queue.next(now);
    let second = admit(&mut queue, now + MS, long(1));
    queue.next(now + MS);
    assert!(queue.submit(now + MS, long(1)).is_err(), "nobody gives way to oneself");
    let newcomer = queue.submit(now + MS, long(2)).expect("half of the slots are its share");
    assert_eq!(newcomer.preempted, Some(second), "the one that would take longest");
    queue.leave(second);
    assert_eq!(queue.next(now + 2 * MS), Some(newcomer.id));
    assert!(queue.submit(now + 2 * MS, long(3)).is_err(), "all hold their share");
    assert!(queue.submit(now + 2 * MS, long(2)).is_err());
    assert_eq!(first, 1);
}

#[test]
fn clients_that_outnumber_the_slots_share_them_by_time() {
    let (mut queue, now) = (empty(1), Instant::now());
    let long = |n, now| Candidate { cost: 60_000 * MS, ..wanted(n, now, 1_000 * MS) };
    let first = admit(&mut queue, now, long(1, now));
    assert_eq!(queue.next(now), Some(first));
    let at = now + 400 * MS;
    let busy = queue.submit(at, long(2, at)).expect_err("the first one's slice lasts");
    assert_eq!(busy.retry_after, 600 * MS);
    let at = now + 1_000 * MS;
    assert!(queue.submit(at, long(1, at)).is_err(), "nobody gives way to oneself");
    let second = queue.submit(at, long(2, at)).expect("as told");
    assert_eq!(second.preempted, Some(first));
    let busy = queue.submit(at, long(3, at)).expect_err("the second one is next");
    assert_eq!(busy.retry_after, 1_000 * MS);
    queue.leave(first);
    assert_eq!(queue.next(at), Some(second.id));
    let busy = queue.submit(at, long(1, at)).expect_err("the second one's slice begins");
    assert_eq!(busy.retry_after, 1_000 * MS);
}

#[test]
fn a_time_slice_ends_for_those_alone_who_lack_their_share() {
    let start = Instant::now();
    let (now, long) = (start + 2_000 * MS, 60_000 * MS);
    let at = |n, cost, now| Candidate { cost, ..wanted(n, now, 1_000 * MS) };
    // Each has a slot, and one has three: that one gives way, though another search is longer.
    let mut queue = empty(4);
    let fair = admit(&mut queue, start, at(1, 2 * long, start));
    queue.next(start);
    for _ in 0..3 {
        admit(&mut queue, start, at(2, long, start));
        queue.next(start);
    }
    let newcomer = queue.submit(now, at(3, long, now)).expect("a slot is its share");
    assert!(newcomer.preempted.is_some_and(|id| id != fair));
    // Nobody is told of a slice that would not help: it is one slot, and not for who has one.
    let mut queue = empty(2);
    for n in [1, 2] {
        admit(&mut queue, start, at(n, long, start));
        queue.next(start);
    }
    let both = Candidate { threads: 2, ..at(3, long, start) };
    assert!(queue.submit(start, both).expect_err("both are held").retry_after > now - start);
    let newcomer = queue.submit(now, at(3, long, now)).expect("one of them has had its slice");
    assert_eq!(newcomer.preempted, Some(2));
    let mut told = |n| queue.submit(now, at(n, long, now)).expect_err("all slots are held");
    assert!(told(1).retry_after > now - start, "it has a slot");
    assert_eq!(told(2).retry_after, 1_000 * MS, "it has had one");
}

#[test]
fn short_searches_are_waited_for() {
    let (mut queue, now) = (empty(2), Instant::now());
    for _ in 0..2 {
        admit(&mut queue, now, wanted(1, now, MS));
        queue.next(now);
    }
    let newcomer = queue.submit(now, wanted(2, now, 200 * MS)).expect("100 ms are soon over");
    assert_eq!(newcomer.preempted, None);
}

#[test]
fn a_search_of_several_threads_waits_for_all_of_them() {
    let (mut queue, now) = (empty(2), Instant::now());
    let one = admit(&mut queue, now, wanted(1, now, MS));
    queue.next(now);
    let both = Candidate { threads: 9, ..wanted(2, now, 1_000 * MS) };
    let both = admit(&mut queue, now, both);
    assert_eq!(queue.next(now), None);
    assert_eq!(queue.start_now(now, client(3), MS), None, "nobody overtakes those that wait");
    queue.leave(one);
    assert_eq!(queue.next(now), Some(both));
    assert_eq!(queue.start_now(now, client(3), MS), None, "no slot is free");
    queue.leave(both);
    assert!(queue.start_now(now, client(3), MS).is_some());
}

#[test]
fn the_queue_is_bounded() {
    let (mut queue, now) = (empty(1), Instant::now());
    let quick = Candidate { cost: Duration::ZERO, ..wanted(1, now, 1_000 * MS) };
    let admitted = (0..1_000).filter(|_| queue.submit(now, quick).is_ok()).count();
    assert_eq!(admitted, MOST_WAITING.0);
}

/// What became of the searches of a simulated load.
#[derive(Debug, Default)]
struct Load {
    asked: u32,
    started: u32,
    late: u32,
    refused: u32,
}

/// Random clients ask for searches of 10 to 1,000 ms on some slots, which end at or before their bound.
fn simulate(seed: u64) -> Load {
    let mut rng = Rng::new(seed);
    let begun = Instant::now();
    let mut queue = empty(1 + rng.below(4) as u32);
    let mut load = Load::default();
    // End, of those that run; limit and duration, of those that wait.
    let mut running: Vec<(Instant, Id)> = Vec::new();
    let mut waiting: Vec<(Id, Instant, Duration)> = Vec::new();
    let mut now = begun;
    for _ in 0..2_000 {
        let arrival = now + rng.below(60) as u32 * MS;
        loop {
            while let Some(id) = queue.next(now) {
                let place = waiting.iter().position(|search| search.0 == id).expect("it waits");
                let (_, start_by, duration) = waiting.remove(place);
                load.started += 1;
                load.late += u32::from(now > start_by);
                running.push((now + duration, id));
            }
            let Some(&(end, id)) = running.iter().min().filter(|(end, _)| *end <= arrival) else {
                break;
            };
            now = end;
            running.retain(|search| search.1 != id);
            queue.leave(id);
        }
        now = arrival;
        let cost = (10 << rng.below(7)) as u32 * MS;
        let start_by = now + 2 * cost;
        // The first client is greedy.
        let n = rng.below(8).saturating_sub(4) as u8;
        load.asked += 1;
        let wanted = Candidate { client: client(n), threads: 1, cost, budget: cost, start_by };
        let Ok(admission) = queue.submit(now, wanted) else {
            load.refused += 1;
            continue;
        };
        load.refused += admission.refused.len() as u32;
        waiting.retain(|search| !admission.refused.contains(&search.0));
        let ends = running.iter_mut().find(|search| Some(search.1) == admission.preempted);
        if let Some(search) = ends {
            search.0 = now + rng.below(20) as u32 * MS;
        }
        // One in two takes all of its bound.
        let actual = if rng.below(2) == 0 { cost } else { cost * rng.below(100) as u32 / 100 };
        waiting.push((admission.id, start_by, actual));
    }
    load
}

#[test]
fn who_is_admitted_starts_in_time() {
    let loads: Vec<_> = (0..50).map(simulate).collect();
    let sum = |what: fn(&Load) -> u32| loads.iter().map(what).sum::<u32>();
    let (asked, started) = (sum(|load| load.asked), sum(|load| load.started));
    let (late, refused) = (sum(|load| load.late), sum(|load| load.refused));
    assert!(
        started > asked / 4 && refused > asked / 4,
        "the load is no test: {started}, {refused}"
    );
    assert!(late * 200 < started, "{late} of {started} started late, {refused} refused");
    println!("{late} of {started} started late, {refused} of {asked} refused");
}

#[test]
fn work_is_overdue_when_it_has_outlasted_its_budget() {
    let (mut queue, now) = (empty(1), Instant::now());
    // Cheap as a rule, but it may take its whole budget.
    let wanted = Candidate { cost: MS, ..wanted(1, now, MS) };
    admit(&mut queue, now, wanted);
    assert_eq!(queue.overdue(now + 200 * MS, 50 * MS), 0, "what waits is not late");
    let id = queue.next(now).expect("a slot");
    assert_eq!(queue.overdue(now + 150 * MS, 50 * MS), 0);
    assert_eq!(queue.overdue(now + 151 * MS, 50 * MS), 1);
    queue.leave(id);
    assert_eq!(queue.overdue(now + 151 * MS, 50 * MS), 0);
}
