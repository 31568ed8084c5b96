"""Libraries and programs that code is written with, by purpose (see `tools`)."""

from __future__ import annotations

from typing import Final

from .purpose import Purpose

CODE: Final[dict[str, Purpose]] = {
    "object mapping": Purpose(
        "hibernate jooq sqlalchemy prisma typeorm sequelize drizzle=drizzle_orm mikro-orm"
        " entity_framework=ef_core dapper doctrine eloquent peewee tortoise_orm=tortoise gorm sqlx diesel"
        " activerecord=active_record mybatis ent exposed knex kysely sqlmodel ponyorm objection mongoose sqlc",
        "orm=object-relational=mapper=persistence query=queries access=data-access",
        "layer database data library builder handle build",
    ),
    "migrations": Purpose(
        "flyway liquibase alembic goose dbmate golang-migrate atlas sqitch prisma_migrate knex"
        " django_migrations umzug phinx",
        "migration=migrations=migrate schema",
        "database db run handle manage change changes apply",
    ),
    "state management": Purpose(
        "redux=redux_toolkit zustand mobx pinia vuex recoil jotai ngrx xstate riverpod bloc react_context"
        " valtio provider effector akita signals",
        "state=store",
        "manage management keep client global handle held",
    ),
    "styling": Purpose(
        "tailwind=tailwind_css bootstrap bulma sass=scss less styled-components emotion css_modules"
        " vanilla-extract plain_css stylus unocss foundation linaria panda_css postcss stylex",
        "style=styles=styling=css=stylesheet=stylesheets",
        "base write framework based",
    ),
    "components": Purpose(
        "material_ui=mui chakra=chakra_ui ant_design=antd shadcn=shadcn/ui radix=radix_ui vuetify primeng"
        " primereact mantine headless_ui fluent_ui carbon quasar angular_material element_plus daisyui"
        " blueprint bootstrap",
        "component=components ui widget=widgets",
        "library kit build set come design system",
    ),
    "icons": Purpose(
        "font_awesome material_icons heroicons feather lucide phosphor tabler bootstrap_icons remix_icon",
        "icon=icons",
        "set come library take",
    ),
    "charts": Purpose(
        "chart.js=chartjs d3=d3.js recharts echarts=apache_echarts highcharts plotly victory nivo"
        " vega=vega-lite amcharts apexcharts matplotlib bokeh seaborn visx altair",
        "chart=charts=graph=graphs plot=plots=plotting visualisation=visualization",
        "draw render library make create",
    ),
    "end-to-end testing": Purpose(
        "cypress playwright selenium puppeteer webdriverio testcafe nightwatch detox appium maestro"
        " robot_framework protractor capybara katalon",
        "e2e=end-to-end browser ui acceptance",
        "test tests testing run write automation framework suite",
    ),
    "load testing": Purpose(
        "k6 locust jmeter gatling artillery wrk vegeta loadrunner blazemeter",
        "load=stress performance",
        "test tests testing run do measure",
    ),
    "mocking": Purpose(
        "wiremock mockito msw=mock_service_worker sinon nock moq easymock jmock mockk mockserver responses"
        " pact testdouble prism mirage vcr",
        "mock=mocks=mocking stub=stubs=stubbing fake=fakes",
        "http use create make library test tests",
    ),
    "linting": Purpose(
        "flake8 pylint ruff eslint biome rubocop golangci-lint=golangci clippy stylelint shellcheck tslint"
        " oxlint standard ktlint detekt checkstyle phpstan swiftlint sonarqube credo hadolint yamllint pmd",
        "lint=linting=linter check=checks=static quality",
        "run do code",
    ),
    "formatting": Purpose(
        "black yapf autopep8 prettier gofmt ruff=ruff_format biome rustfmt clang-format ktfmt"
        " google-java-format spotless dprint scalafmt swiftformat php-cs-fixer blue standardrb gofumpt"
        " csharpier",
        "format=formatting=formatter",
        "run do auto code automatically",
    ),
    "type checking": Purpose(
        "mypy pyright pyre pytype flow typescript sorbet ty basedpyright psalm phpstan steep",
        "type=types=type-check=type-checker=typing=type-checked=type-checks=type-checking",
        "check checking checker static run hint hints do code",
    ),
    "bundling": Purpose(
        "webpack vite rollup turbopack esbuild parcel rspack snowpack browserify rolldown swc metro farm",
        "bundle=bundling=bundler build=builds",
        "run do make asset assets tool",
    ),
    "package management": Purpose(
        "npm pnpm yarn bun poetry uv pip pipenv conda=mamba pdm rye hatch bundler composer cargo nuget"
        " pip-tools maven gradle cocoapods swift_package_manager vcpkg conan go_modules carthage pixi",
        "package=packages=dependency=dependencies",
        "manage management manager install run resolve tool lock locked",
    ),
    "dependency updates": Purpose(
        "dependabot renovate=renovate_bot snyk pyup greenkeeper depfu scala_steward",
        "update=updates=upgrade=upgrades=bump=bumps vulnerability=vulnerabilities",
        "dependency dependencies do open create make automatic automated library scan",
    ),
    "building": Purpose(
        "maven gradle bazel ant sbt cmake make=gnu_make=makefiles meson ninja just mage buck pants nx"
        " turborepo lerna earthly taskfile=task msbuild scons leiningen waf rake invoke nox tox autotools",
        "build=builds=building=compile monorepo",
        "run make do tool system task tasks",
    ),
    "game engine": Purpose(
        "unity godot unreal=unreal_engine bevy gamemaker cryengine phaser",
        "game=games engine",
    ),
}
