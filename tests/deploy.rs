//! What operators deploy fits the program: names of metrics, settings, paths, ports, times, memory.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufReader, Read, Write};
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};
use support::server::{Server, get_bytes, post_bytes, read_reply};

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");

fn text(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The documents of a YAML file.
fn yaml(path: &str) -> Vec<Value> {
    let documents = text(path);
    let read =
        |document| Value::deserialize(document).unwrap_or_else(|why| panic!("{path}: {why}"));
    serde_norway::Deserializer::from_str(&documents).map(read).collect()
}

fn manifest(kind: &str) -> Value {
    let documents = yaml("deploy/kubernetes.yaml");
    documents.into_iter().find(|document| document["kind"] == kind).expect("it is there")
}

/// A document of the manifests of workers.
fn of_workers(kind: &str, name: &str) -> Value {
    let documents = yaml("deploy/workers.yaml");
    let mut found =
        documents.into_iter().filter(|one| one["kind"] == kind && one["metadata"]["name"] == name);
    found.next().unwrap_or_else(|| panic!("{kind} {name}"))
}

fn compose(service: &str) -> Value {
    yaml("docker-compose.yml")[0]["services"][service].clone()
}

/// Expressions of the dashboard and of the alerts, with the legends of the former.
fn expressions() -> (Vec<(String, String)>, Vec<String>) {
    let dashboard: Value =
        serde_json::from_str(&text("deploy/observability/dashboard.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels").iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().expect("targets").clone());
    let word = |value: &Value| value.as_str().expect("a text").to_owned();
    let shown = targets.map(|target| (word(&target["expr"]), word(&target["legendFormat"])));
    let rules = yaml("deploy/observability/alerts.yml")[0]["groups"][0]["rules"].clone();
    let alerts = rules.as_array().expect("rules").iter().map(|rule| {
        assert!(rule["annotations"]["action"].is_string(), "{rule} says what to do");
        word(&rule["expr"])
    });
    (shown.collect(), alerts.collect())
}

/// Every metric of a service to which everything has happened, with its labels; a histogram by its base name.
fn metrics() -> BTreeMap<String, BTreeSet<String>> {
    let server = Server::start(PROGRAM, &["--max-client-connections", "1"]);
    // A connection that has spoken keeps its place.
    let mut only = BufReader::new(server.connect());
    let mut ask = |request: String| {
        only.get_mut().write_all(request.as_bytes()).expect("the service reads");
        read_reply(&mut only)
    };
    for algorithm in ["alphabeta", "uct"] {
        let budget = json!({ "time_ms": 1 });
        let question = json!({ "game": "othello", "algorithm": algorithm, "budget": budget });
        let answer = ask(post_bytes("/v1/bestmove", &question.to_string()));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    assert_eq!(ask(get_bytes("/nowhere")).status, 404);
    let refused = server.connect().read(&mut [0]);
    assert!(!refused.is_ok_and(|read| read > 0), "one connection is too many");
    let metrics = ask(get_bytes("/metrics")).body;
    assert!(metrics.contains("bestmove_connection_limits_total{"), "{metrics}");
    let samples = metrics.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    for sample in samples {
        let name = sample.split(['{', ' ']).next().unwrap_or_default();
        found.entry(base(name).to_owned()).or_default().extend(labels(sample));
    }
    found
}

/// The name of a histogram without the ends of its series.
fn base(name: &str) -> &str {
    let ends = ["_seconds_bucket", "_seconds_sum", "_seconds_count"];
    let end = ends.iter().find(|end| name.ends_with(**end));
    end.map_or(name, |end| &name[..name.len() - end.len() + "_seconds".len()])
}

/// Names of labels in the braces of an expression or of a sample.
fn labels(text: &str) -> Vec<String> {
    let braces = text.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let pairs =
        braces.flat_map(|inside| inside.split("\",").map(str::to_owned).collect::<Vec<_>>());
    let names =
        pairs.filter_map(|pair| pair.split_once('=').map(|(name, _)| name.trim().to_owned()));
    names.filter(|name| !name.is_empty()).collect()
}

/// Labels that an expression groups by.
fn groups(expression: &str) -> Vec<String> {
    let lists = expression.split(" by (").skip(1).filter_map(|rest| rest.split(')').next());
    lists
        .flat_map(|list| list.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>())
        .collect()
}

fn names(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("bestmove_")).map(|name| base(name).to_owned()).collect()
}

#[test]
fn dashboard_and_alerts_name_metrics_and_labels_that_there_are() {
    let metrics = metrics();
    let (shown, alerts) = expressions();
    let all = shown.iter().map(|(expression, _)| expression).chain(&alerts);
    for expression in all {
        let mut known = BTreeSet::from(["instance", "job", "le"].map(str::to_owned));
        for name in names(expression) {
            let labels = metrics.get(&name).unwrap_or_else(|| panic!("`{name}` in `{expression}`"));
            known.extend(labels.iter().cloned());
        }
        let used = labels(expression).into_iter().chain(groups(expression));
        used.for_each(|label| assert!(known.contains(&label), "label `{label}` in `{expression}`"));
    }
    for (expression, legend) in &shown {
        let used = legend.split("{{").skip(1).filter_map(|rest| rest.split("}}").next());
        let groups = groups(expression);
        used.for_each(|label| {
            assert!(groups.contains(&label.to_owned()), "`{label}` of `{legend}`");
        });
    }
    let on_dashboard: BTreeSet<_> =
        shown.iter().flat_map(|(expression, _)| names(expression)).collect();
    let missing: Vec<_> = metrics.keys().filter(|name| !on_dashboard.contains(*name)).collect();
    assert!(missing.is_empty(), "not on the dashboard: {missing:?}");
}

fn variables(map: &Value) -> BTreeMap<String, String> {
    let map = map.as_object().expect("variables").iter();
    map.map(|(name, value)| (name.clone(), value.as_str().expect("a text").to_owned())).collect()
}

#[test]
fn variables_are_settings_and_their_values_are_taken() {
    let help = Command::new(PROGRAM).args(["serve", "--help"]).output().expect("it starts");
    let help = String::from_utf8(help.stdout).expect("text");
    for (place, given) in [
        ("compose", variables(&compose("bestmove")["environment"])),
        ("api of compose", variables(&compose("api")["environment"])),
        ("workers of compose", variables(&compose("worker")["environment"])),
        ("Kubernetes", variables(&manifest("ConfigMap")["data"])),
        ("queue of Kubernetes", variables(&of_workers("ConfigMap", "bestmove-queue")["data"])),
        ("workers of Kubernetes", variables(&of_workers("ConfigMap", "bestmove-worker")["data"])),
    ] {
        for name in given.keys() {
            assert!(help.contains(&format!("[env: {name}=")), "`{name}` of {place} is no setting");
        }
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"]).envs(&given);
        // The log says where it listens.
        command.env_remove("BESTMOVE_LOG").env("BESTMOVE_PROBE_LISTEN", "127.0.0.1:0");
        // The folder is the image's.
        let folder = tempfile::tempdir().expect("a folder");
        command.env("BESTMOVE_DATA", folder.path()).env_remove("BESTMOVE_QUEUE");
        assert_eq!(Server::spawn(&mut command).get("/healthz").status, 200);
    }
}

/// Bytes of a size as compose and Kubernetes write it.
fn mib(size: &Value) -> u64 {
    let size = size.as_str().expect("a size").to_lowercase();
    let (number, unit) =
        size.split_at(size.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(size.len()));
    let number: u64 = number.parse().expect("a number");
    match unit {
        "g" | "gi" => number * 1_024,
        "m" | "mi" => number,
        other => panic!("unit `{other}`"),
    }
}

#[test]
fn the_memory_setting_and_the_end_fit_the_limits() {
    let pod = &manifest("Deployment")["spec"]["template"]["spec"];
    let limits = &pod["containers"][0]["resources"]["limits"];
    let grace =
        |value: &Value| value.to_string().trim_matches(['"', 's']).parse::<u64>().expect("seconds");
    let of_compose = |service: &str| {
        let service = compose(service);
        (
            variables(&service["environment"]),
            service["mem_limit"].clone(),
            service["cpus"].clone(),
            grace(&service["stop_grace_period"]),
        )
    };
    let workers = &of_workers("Deployment", "bestmove-worker")["spec"]["template"]["spec"];
    let of_worker = &workers["containers"][0]["resources"]["limits"];
    for (given, limit, slots, grace) in [
        of_compose("bestmove"),
        of_compose("api"),
        of_compose("worker"),
        (
            variables(&of_workers("ConfigMap", "bestmove-worker")["data"]),
            of_worker["memory"].clone(),
            of_worker["cpu"].clone(),
            grace(&workers["terminationGracePeriodSeconds"]),
        ),
        (
            variables(&manifest("ConfigMap")["data"]),
            limits["memory"].clone(),
            limits["cpu"].clone(),
            grace(&pod["terminationGracePeriodSeconds"]),
        ),
    ] {
        let number = |name: &str| given[name].parse::<u64>().expect("a number");
        assert!(number("BESTMOVE_MEMORY_MIB") < mib(&limit), "{given:?}");
        assert!(
            number("BESTMOVE_DRAIN_MS") + number("BESTMOVE_SHUTDOWN_MS") < grace * 1_000,
            "{given:?}"
        );
        let slots = slots.to_string().trim_matches('"').to_owned();
        assert!(["0", &slots].contains(&&*given["BESTMOVE_SLOTS"]), "{given:?}");
    }
}

#[test]
fn workers_find_the_queue_and_scale_by_a_metric_that_there_is() {
    let queue = "nats://nats:4222";
    for given in [
        variables(&compose("api")["environment"]),
        variables(&compose("worker")["environment"]),
        variables(&of_workers("ConfigMap", "bestmove-queue")["data"]),
        variables(&of_workers("ConfigMap", "bestmove-worker")["data"]),
    ] {
        assert_eq!(given["BESTMOVE_QUEUE"], queue);
    }
    assert!(compose("nats")["command"].to_string().contains("-js"), "the service of that name");
    assert_eq!(of_workers("Service", "nats")["spec"]["ports"][0]["port"], 4_222);
    let replicas = manifest("Deployment")["spec"]["template"]["spec"]["containers"][0].clone();
    assert!(replicas["envFrom"].to_string().contains("bestmove-queue"), "they take jobs for it");
    let scaler = of_workers("HorizontalPodAutoscaler", "bestmove-worker");
    let metric = scaler["spec"]["metrics"][0]["external"]["metric"]["name"].clone();
    assert!(metrics().contains_key(metric.as_str().expect("a name")), "{metric}");
    assert!(text("Dockerfile").contains("--features nats"), "the image knows the queue");
}

#[test]
fn images_of_others_are_named_by_digest() {
    let files =
        ["docker-compose.yml", "deploy/kubernetes.yaml", "deploy/workers.yaml", "Dockerfile"];
    let texts = files.map(text).join("\n");
    let named = ["image: ", "ARG BASE="];
    let images = named.iter().flat_map(|named| texts.split(named).skip(1));
    let images = images.filter_map(|rest| rest.split_whitespace().next());
    let others: Vec<_> = images.filter(|image| !image.starts_with("bestmove:")).collect();
    assert_eq!(others.len(), 5, "{others:?}");
    for image in others {
        let digest = image.split_once("@sha256:").unwrap_or_else(|| panic!("{image}")).1;
        assert!(
            digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{image}"
        );
    }
}

#[test]
fn ports_and_paths_of_probes_are_those_of_the_image() {
    let dockerfile = text("Dockerfile");
    for line in [
        "BESTMOVE_LISTEN=0.0.0.0:8080",
        "BESTMOVE_PROBE_LISTEN=0.0.0.0:8081",
        "EXPOSE 8080 8081",
        "USER 10001:10001",
    ] {
        assert!(dockerfile.contains(line), "{line}");
    }
    let deployment = manifest("Deployment");
    let pod = &deployment["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    assert_eq!(pod["securityContext"]["runAsUser"], 10_001);
    let ports: BTreeMap<_, _> = container["ports"]
        .as_array()
        .expect("ports")
        .iter()
        .map(|port| (port["name"].as_str(), port["containerPort"].as_u64()))
        .collect();
    assert_eq!(ports, BTreeMap::from([(Some("http"), Some(8_080)), (Some("probes"), Some(8_081))]));
    let annotations = &deployment["spec"]["template"]["metadata"]["annotations"];
    assert_eq!(annotations["prometheus.io/port"], "8081");
    assert!(text("deploy/observability/prometheus.yml").contains("bestmove:8081"));
    assert_eq!(manifest("Service")["spec"]["ports"][0]["targetPort"], "http");
    let server = Server::start(PROGRAM, &["--probe-listen", "127.0.0.1:0"]);
    let probes = ["startupProbe", "readinessProbe", "livenessProbe"]
        .map(|probe| &container[probe]["httpGet"]);
    for probe in probes {
        assert_eq!(probe["port"], "probes");
        let path = probe["path"].as_str().expect("a path");
        let answered = std::iter::repeat_with(|| server.get(path).status).take(100_000);
        assert!(answered.into_iter().any(|status| status == 200), "{path}");
    }
    assert_eq!(annotations["prometheus.io/path"], "/metrics");
}
