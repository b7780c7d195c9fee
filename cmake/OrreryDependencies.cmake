# Every library the product links, as an imported target. What packaging/setup.sh fetches lies in ORRERY_CACHE.
if(DEFINED ENV{ORRERY_CACHE})
  set(default_cache $ENV{ORRERY_CACHE})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(default_cache $ENV{XDG_CACHE_HOME}/orrery)
else()
  set(default_cache $ENV{HOME}/.cache/orrery)
endif()
set(ORRERY_CACHE ${default_cache} CACHE PATH "Where packaging/setup.sh put LibTorch, Dear ImGui, weights and samples")

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
find_path(GEMMI_INCLUDE_DIR gemmi/pdb.hpp REQUIRED)

# LibTorch from the wheel: the CPU libraries are linked, the CUDA ones are loaded at run time where a GPU is. Its own
# CMake package asks for a whole CUDA toolkit, so the target is made here.
set(ORRERY_TORCH ${ORRERY_CACHE}/torch-2.11.0 CACHE PATH "LibTorch: include/ and lib/")
if(NOT EXISTS ${ORRERY_TORCH}/lib/libtorch_cpu.so)
  message(FATAL_ERROR "LibTorch is not in ${ORRERY_TORCH}. Run packaging/setup.sh first.")
endif()
add_library(orrery_torch INTERFACE)
target_include_directories(orrery_torch SYSTEM INTERFACE
  ${ORRERY_TORCH}/include ${ORRERY_TORCH}/include/torch/csrc/api/include)
# LibTorch's headers bring an fmt of their own, newer than the system's library: where they are seen it is used without one.
target_compile_definitions(orrery_torch INTERFACE FMT_HEADER_ONLY=1)
target_link_directories(orrery_torch INTERFACE ${ORRERY_TORCH}/lib)
target_link_libraries(orrery_torch INTERFACE torch_cpu c10 -Wl,-rpath-link,${ORRERY_TORCH}/lib)
target_link_options(orrery_torch INTERFACE -Wl,-rpath,${ORRERY_TORCH}/lib)

if(ORRERY_WINDOW)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets OpenGL OpenGLWidgets Svg)
  find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
  find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel CommonExecutionModel CommonTransforms
    FiltersCore FiltersGeneral FiltersGeometry FiltersModeling FiltersSources InteractionStyle RenderingCore
    RenderingAnnotation RenderingFreeType RenderingOpenGL2 DomainsChemistry DomainsChemistryOpenGL2)
  set(ORRERY_IMGUI ${ORRERY_CACHE}/imgui-bundle-1.93.0/external CACHE PATH "Dear ImGui, ImPlot, ImPlot3D, test engine")
endif()
