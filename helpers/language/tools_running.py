"""Services that run beside a product, and what it runs on, by purpose (see `tools`)."""

from __future__ import annotations

from typing import Final

from .purpose import Purpose

_MONITORS: Final = "datadog new_relic dynatrace appdynamics azure_monitor cloudwatch elastic"

RUNNING: Final[dict[str, Purpose]] = {
    "issue tracking": Purpose(
        "jira linear asana trello youtrack github_issues clickup redmine shortcut bugzilla mantis"
        " gitlab_issues azure_boards monday.com wrike basecamp plane phabricator github_projects",
        "issue=issues=ticket=tickets=tracker=ticketing=backlog bug=bugs task=tasks=todo story=stories epic roadmap",
        "track tracking manage management list plan organise keep board",
    ),
    "support desk": Purpose(
        "zendesk freshdesk intercom help_scout zammad otrs jira_service_management front hubspot helpscout gorgias",
        "support=helpdesk=help-desk ticket=tickets=request=requests=inquiry",
        "customer handle answer desk manage user",
    ),
    "error tracking": Purpose(
        "sentry rollbar bugsnag airbrake honeybadger raygun appsignal glitchtip"
        " crashlytics=firebase_crashlytics"
        f" {_MONITORS}",
        "error=errors=exception=exceptions crash=crashes",
        "track tracking tracker report reporting reporter collect capture monitoring monitor aggregate log catch",
    ),
    "logging": Purpose(
        "loki=grafana_loki splunk graylog papertrail loggly logtail sumo_logic elasticsearch=elk=elk_stack"
        " opensearch better_stack logz.io seq coralogix"
        f" {_MONITORS}",
        "log=logs=logging",
        "aggregate aggregation aggregator collect collection central centralised centralized management store"
        " storage ship search analyse analysis stream line lines message",
    ),
    "monitoring": Purpose(
        f"prometheus zabbix nagios icinga checkmk netdata influxdb sensu honeycomb {_MONITORS}",
        "monitor=monitoring=watch=observe=observability metric=metrics=telemetry",
        "collect collection scrape stack watched",
    ),
    "uptime checks": Purpose(
        "pingdom uptimerobot=uptime_robot statuscake uptime_kuma better_uptime site24x7 checkly healthchecks.io",
        "uptime=availability=ping status",
        "monitor monitoring check page",
    ),
    "dashboards": Purpose(
        "grafana kibana superset=apache_superset metabase looker tableau power_bi redash datadog qlik"
        " lightdash mode looker_studio chronograf retool",
        "dashboard=dashboards report=reports=reporting=bi chart=charts=visualisation=visualization=visualise",
        "build draw show display create make view",
    ),
    "tracing": Purpose(
        f"jaeger zipkin tempo=grafana_tempo lightstep honeycomb x-ray=aws_x-ray signoz {_MONITORS}",
        "trace=traces=tracing",
        "distributed collect request requests span spans",
    ),
    "paging": Purpose(
        "pagerduty opsgenie victorops=splunk_on-call grafana_oncall squadcast incident.io xmatters alertops",
        "page=paging=pager=alert=alerts=alerting=incident=incidents=on-call",
        "notify people engineer engineers send whoever call rotation schedule manage management",
    ),
    "analytics": Purpose(
        "segment rudderstack mixpanel amplitude posthog matomo=piwik plausible google_analytics=ga4 heap"
        " umami fathom snowplow adobe_analytics pendo",
        "analytics=analytic event=events usage traffic visitor=visitors=visits",
        "collect track tracking measure measured product web count analyse",
    ),
    "feature flags": Purpose(
        "launchdarkly unleash flagsmith split.io configcat flipt growthbook statsig optimizely flipper devcycle",
        "flag=flags=toggle=toggles experiment=experiments",
        "feature features manage management toggle control",
    ),
    "secrets": Purpose(
        "vault=hashicorp_vault 1password bitwarden keepass=keepassxc lastpass doppler"
        " aws_secrets_manager=secrets_manager azure_key_vault=key_vault sops infisical dashlane"
        " google_secret_manager sealed_secrets proton_pass nordpass keeper",
        "secret=secrets credential=credentials password=passwords",
        "store storage keep read fetch manage management manager pull save share shared live",
    ),
    "sign-in": Purpose(
        "okta auth0 keycloak cognito=amazon_cognito=aws_cognito azure_ad=entra_id=microsoft_entra zitadel"
        " authentik clerk supertokens onelogin ping_identity jumpcloud firebase_auth google_workspace authelia"
        " workos fusionauth",
        "sign-in=login=log-in=sso=sign-on=authentication=auth=identity=authenticate",
        "single user users handle manage identities employee account",
    ),
    "e-mail delivery": Purpose(
        "sendgrid mailgun postmark amazon_ses=ses=aws_ses mailjet sparkpost mandrill brevo=sendinblue resend"
        " mailersend mailchimp klaviyo",
        "email=emails=mail=mails=e-mail=e-mails newsletter=newsletters sms",
        "send deliver delivery transactional dispatch outgoing go out campaign",
    ),
    "text messages": Purpose(
        "twilio vonage=nexmo messagebird=bird sinch plivo amazon_sns=sns clickatell infobip telnyx",
        "sms=text=texts push whatsapp phone=call=calls",
        "message messages send deliver notification notifications",
    ),
    "payments": Purpose(
        "stripe paypal adyen braintree mollie square klarna checkout.com worldpay gocardless paddle razorpay"
        " lemon_squeezy payone wise authorize.net sumup",
        "payment=payments=pay=checkout card=cards invoice=invoices=billing=bill subscription=subscriptions payout",
        "process handle processing processor provider gateway credit take accept accepted charge",
    ),
    "database": Purpose(
        "postgresql=postgres mysql mariadb sqlite oracle=oracle_database sql_server=mssql=microsoft_sql_server"
        " cockroachdb mongodb=mongo couchdb dynamodb=amazon_dynamodb firestore cassandra=apache_cassandra scylladb"
        " clickhouse timescaledb influxdb neo4j snowflake bigquery redshift duckdb db2 firebird surrealdb arangodb"
        " rethinkdb supabase planetscale yugabytedb tidb aurora=amazon_aurora",
        "database=db=databases=datastore",
        "store data engine system",
    ),
    "status page": Purpose(
        "statuspage=atlassian_statuspage instatus cachet statuspal upptime better_stack", "status", "page host show"
    ),
    "search": Purpose(
        "elasticsearch=elastic solr=apache_solr opensearch meilisearch typesense algolia sphinx_search vespa"
        " lunr azure_search=azure_ai_search zinc lucene",
        "search=searching",
        "index full-text engine power backend back run results",
    ),
    "maps": Purpose(
        "mapbox google_maps leaflet openlayers openstreetmap=osm here_maps maplibre maptiler bing_maps"
        " apple_maps tomtom cesium",
        "map=maps=mapping geocode=geocoding tile=tiles routing",
        "render draw show display provider library come",
    ),
    "cdn": Purpose(
        "cloudflare fastly akamai cloudfront=amazon_cloudfront bunnycdn=bunny keycdn"
        " azure_cdn=azure_front_door google_cloud_cdn cdn77 stackpath gcore",
        "cdn=cdns asset=assets image=images=picture static media",
        "serve deliver delivery content edge come files",
    ),
    "dns": Purpose(
        "route_53=route53=amazon_route_53 cloudflare_dns=cloudflare dnsimple ns1 google_cloud_dns azure_dns"
        " godaddy namecheap gandi porkbun hetzner_dns powerdns",
        "dns=nameserver domain=domains registrar",
        "zone zones record records manage host register registered",
    ),
    "certificates": Purpose(
        "let's_encrypt=letsencrypt digicert zerossl sectigo=comodo globalsign buypass entrust geotrust"
        " acm=aws_certificate_manager google_trust_services",
        "certificate=certificates=cert=certs=tls=ssl",
        "issue buy come get ca authority bring issued",
    ),
    "continuous integration": Purpose(
        "jenkins github_actions gitlab_ci=gitlab_ci/cd circleci travis=travis_ci buildkite teamcity"
        " woodpecker=woodpecker_ci drone=drone_ci bamboo azure_pipelines concourse semaphore"
        " codebuild=aws_codebuild tekton appveyor bitbucket_pipelines xcode_cloud bitrise codemagic"
        " forgejo_actions gitea_actions argo_workflows",
        "ci=continuous=ci/cd build=builds pipeline=pipelines test=tests release=releases deploy=deployment=deployments",
        "integration run server execute",
    ),
    "code hosting": Purpose(
        "github=github_enterprise gitlab bitbucket gitea forgejo codeberg azure_repos=azure_devops sourcehut"
        " codecommit=aws_codecommit gogs gerrit perforce",
        "code=repo=repos=repository=repositories=git=source",
        "host hosting version control live keep store management forge server",
    ),
    "artefacts": Purpose(
        "artifactory=jfrog_artifactory nexus=sonatype_nexus github_packages cloudsmith"
        " gitlab_package_registry archiva aws_codeartifact=codeartifact pypi npmjs maven_central verdaccio"
        " devpi azure_artifacts",
        "artifact=artifacts=artefact=artefacts package=packages=wheel=wheels=jar=jars",
        "registry repository push publish upload store storage host built",
    ),
    "container registry": Purpose(
        "docker_hub=dockerhub harbor ecr=amazon_ecr=aws_ecr ghcr=github_container_registry=ghcr.io"
        " quay=quay.io acr=azure_container_registry gcr=google_container_registry"
        " artifact_registry=google_artifact_registry gitlab_container_registry artifactory nexus",
        "image=images=registry",
        "container docker push pushed pull publish store host built",
    ),
    "object storage": Purpose(
        "s3=amazon_s3=aws_s3 google_cloud_storage=gcs azure_blob_storage=azure_blob=blob_storage"
        " backblaze_b2=backblaze=b2 wasabi minio r2=cloudflare_r2 dropbox google_drive onedrive nextcloud"
        " sharepoint storj glacier box borgbase rsync.net hetzner_storage_box synology_nas",
        "backup=backups upload=uploads=attachment=attachments file=files=document=documents"
        " media=photo=photos archive=archives dump=dumps snapshot=snapshots state=tfstate export=exports"
        " recording=recordings artifact",
        "store storage upload keep save copy push hold live go target destination end shared share up bucket",
    ),
    "backup software": Purpose(
        "restic borg=borgbackup duplicati veeam bacula velero pgbackrest barman rsnapshot kopia duplicity"
        " time_machine wal-g acronis",
        "backup=backups=back",
        "up make create do take run",
    ),
    "queueing": Purpose(
        "kafka=apache_kafka rabbitmq sqs=amazon_sqs nats activemq zeromq pulsar=apache_pulsar redis_streams"
        " kinesis google_pub/sub=pub/sub=pubsub service_bus=azure_service_bus eventbridge mqtt=mosquitto"
        " redpanda",
        "queue=queues=queueing event=events message=messages=messaging=broker job=jobs",
        "publish send stream streaming bus transport deliver flow run through broker",
    ),
    "background jobs": Purpose(
        "sidekiq goodjob celery resque dramatiq rq huey bullmq=bull hangfire quartz temporal"
        " airflow=apache_airflow prefect dagster luigi argo_workflows arq solid_queue delayed_job cadence"
        " step_functions",
        "job=jobs ?background task=tasks workflow=workflows=orchestrate=orchestration ?schedule=scheduled"
        " pipeline=pipelines=etl=dag=dags",
        "run schedule scheduling scheduler process execute async asynchronous data",
    ),
    "caching": Purpose(
        "redis memcached valkey dragonfly keydb hazelcast varnish ehcache ignite caffeine couchbase",
        "cache=caching=cached session=sessions token=tokens",
        "store keep hold save layer",
    ),
    "service mesh": Purpose(
        "istio linkerd consul=consul_connect cilium kuma app_mesh=aws_app_mesh open_service_mesh traefik_mesh",
        "mesh",
        "service services run",
    ),
    "proxying": Purpose(
        "nginx caddy traefik haproxy envoy apache=apache_httpd=httpd squid kong varnish alb=aws_alb pingora"
        " pound tyk apigee ingress-nginx=nginx_ingress",
        "proxy=reverse-proxy=proxied balancer=balance=load-balance gateway=gateways ingress tls=ssl",
        "reverse load traffic behind front terminate sit api controller balancing web stand",
    ),
    "web serving": Purpose(
        "nginx caddy apache=apache_httpd=httpd iis lighttpd gunicorn uvicorn tomcat jetty hypercorn puma"
        " unicorn litespeed openresty undertow kestrel waitress",
        "server=webserver=web-server",
        "web serve run application app http behind file files static",
    ),
    "compute": Purpose(
        "lambda=aws_lambda fargate=ecs_fargate=aws_fargate ec2=amazon_ec2 cloud_run=google_cloud_run"
        " azure_functions cloud_functions=google_cloud_functions app_engine elastic_beanstalk app_runner"
        " cloudflare_workers heroku=heroku_dynos fly.io render=render.com railway vercel netlify"
        " lightsail=aws_lightsail coolify dokku firebase=firebase_hosting cloud_foundry"
        " azure_app_service=app_service github_pages cloudflare_pages surge",
        "run=runs=running=workload host=hosts=hosted=hosting deploy=deploys=deployed=deployment"
        " worker=workers container=containers",
        "target service services platform provider live managed cluster execute",
    ),
    "orchestration": Purpose(
        "kubernetes=k8s nomad docker_swarm=swarm ecs=amazon_ecs docker_compose=compose mesos rancher",
        "container=containers=orchestrate=orchestration=orchestrator cluster",
        "run manage deploy schedule production",
    ),
    "renting servers": Purpose(
        "hetzner=hetzner_cloud digitalocean linode=akamai_linode ovh=ovhcloud scaleway vultr rackspace ionos"
        " contabo upcloud netcup strato aws=amazon_web_services azure=microsoft_azure"
        " gcp=google_cloud=google_cloud_platform oracle_cloud alibaba_cloud equinix",
        "server=servers=vps=vm=vms=machine=machines cloud hosting=host=hosted",
        "provider run rent come root virtual infrastructure live",
    ),
    "virtualisation": Purpose(
        "vmware=vsphere=esxi proxmox=proxmox_ve hyper-v kvm xen=xenserver virtualbox parallels utm openstack"
        " nutanix qemu",
        "vm=vms virtual hypervisor=virtualisation=virtualization",
        "run machine machines host",
    ),
    "operating system": Purpose(
        "ubuntu debian fedora centos rhel=red_hat_enterprise_linux=red_hat arch=arch_linux"
        " alpine=alpine_linux windows=windows_server macos rocky=rocky_linux almalinux opensuse=suse=sles"
        " freebsd openbsd nixos linux_mint=mint gentoo amazon_linux raspberry_pi_os=raspbian manjaro pop!_os"
        " void_linux oracle_linux coreos flatcar solaris kali=kali_linux talos photon_os",
        "server=servers laptop=laptops=notebook workstation=workstations desktop=desktops=pc=computer"
        " host=hosts image=images node=nodes vm=vms container=containers runner=runners"
        " ?os=operating=distro=distribution=machine=box=machines=boxes",
        "system boot base install installed based",
    ),
    "provisioning": Purpose(
        "terraform opentofu pulumi cloudformation=aws_cloudformation crossplane cdk=aws_cdk bicep",
        "provision=provisioning=infrastructure=infra=infrastructure-as-code",
        "manage management define describe set up code set-up",
    ),
    "configuration management": Purpose(
        "ansible=ansible_playbooks puppet chef saltstack=salt cfengine",
        "configuration=config=configure provision=provisioning reset=reset",
        "manage management set up set-up",
    ),
}
